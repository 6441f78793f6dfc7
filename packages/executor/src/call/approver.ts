import type { JsonObject, Principal, ToolEffects } from "@aiw/core";

/** How far an approval reaches: this call, this turn, this conversation, or calls of a rule within the conversation. */
export type ApprovalScope = "once" | "turn" | "session" | "rule";

/** The scopes that outlive the call they were given for. */
export type RememberedScope = Exclude<ApprovalScope, "once">;

/** One choice the person has, and what a yes of it would cover. */
export interface ApprovalChoice {
  readonly scope: ApprovalScope;
  /** One sentence for a person. */
  readonly covers: string;
}

/** What a person is asked to approve: all that will run. */
export interface ApprovalRequest {
  readonly callId: string;
  /** The call whose tool made this one. */
  readonly parentCallId?: string;
  readonly sessionId?: string;
  readonly principal?: Principal;
  readonly toolId: string;
  readonly toolName: string;
  readonly title?: string;
  /** Complete; hidden characters are written `\u{…}` and secrets masked. */
  readonly arguments: JsonObject;
  /** Why the call is not simply allowed. */
  readonly reason: string;
  readonly rule?: string;
  readonly effects: ToolEffects;
  readonly resources: readonly string[];
  /** What the call would do, line by line, as its tool says: a diff. Hidden characters are written `\u{…}`. */
  readonly preview?: readonly string[];
  readonly definitionHash: string;
  /** The folder relative paths resolve against. */
  readonly cwd?: string;
  /** How far a yes may reach here, `once` first; a yes of another scope counts once. */
  readonly choices?: readonly ApprovalChoice[];
  /** Milliseconds since the epoch when the question counts as answered by nobody. */
  readonly expiresAt?: number;
}

/** Calls a remembered yes covers: of this tool and definition, with the named arguments as they are now; others do not matter. */
export interface RememberedRule {
  /** Names of arguments that must stay exactly as approved; none covers every call of the tool. */
  readonly parameters: readonly string[];
}

/** How far a yes reaches beyond its call. */
export type RememberWish = "turn" | "session" | { readonly rule: RememberedRule };

/** A yes. */
export interface ApprovalYes {
  readonly decision: "allow";
  /** Replaces the arguments, all of them; they are then validated and judged again. */
  readonly input?: { readonly [parameter: string]: unknown };
  /** For this call alone unless named. */
  readonly remember?: RememberWish;
  /** Who said so, for records. */
  readonly answeredBy?: string;
}

/** A no. */
export interface ApprovalNo {
  readonly decision: "deny";
  readonly reason?: string;
  /** Who said so, for records. */
  readonly answeredBy?: string;
  /** No person said it, so that the same call may be asked about again. */
  readonly unasked?: true;
}

/** A person's answer; one with any other key is none, and counts as a no. */
export type ApprovalAnswer = ApprovalYes | ApprovalNo;

/** How the question about a call was answered. */
export interface ApprovalOutcome {
  readonly decision: "allow" | "deny";
  readonly reason?: string;
  readonly scope: ApprovalScope;
  /** The approver for this call, an answer that was remembered, or nobody: in time, or at all. */
  readonly by: "approver" | "remembered" | "nobody";
  /** Who answered, where the approver says so. */
  readonly answeredBy?: string;
  /** True when the person changed the arguments. */
  readonly edited: boolean;
  /** Milliseconds the question stood open. */
  readonly waitedMs: number;
}

/** Asks somebody; the signal aborts when the call no longer waits. Throwing denies. */
export type Approver = (
  request: ApprovalRequest,
  options: { readonly signal: AbortSignal },
) => ApprovalAnswer | Promise<ApprovalAnswer>;

/** Characters of a reason, and of the name of whoever answered. */
const MAX_REASON = 1000;
const MAX_NAME = 200;

/** Parameters a rule can name; no schema has more that matter. */
const MAX_PARAMETERS = 1000;

/** What an answer may say. */
const KEYS = ["decision", "input", "remember", "reason", "answeredBy", "unasked"] as const;

/** Reads what an approver gave back; undefined for anything that is no answer, one that says more than is understood included. */
export function toApprovalAnswer(answer: unknown): ApprovalAnswer | undefined {
  // An edit, or a bound on a yes, under a name nobody knows must not become a plain yes.
  if (!isRecord(answer) || !hasOnly(answer, KEYS)) return undefined;
  const answeredBy = toText(answer["answeredBy"], MAX_NAME);
  const said = answeredBy === undefined ? {} : { answeredBy };
  if (answer["decision"] === "deny") return { ...toNo(answer), ...said };
  const yes = answer["decision"] === "allow" ? toYes(answer) : undefined;
  return yes && { ...yes, ...said };
}

function toNo(answer: Readonly<Record<string, unknown>>): ApprovalNo {
  const reason = toText(answer["reason"], MAX_REASON);
  const unasked = answer["unasked"] === true;
  return { decision: "deny", ...(reason !== undefined && { reason }), ...(unasked && { unasked }) };
}

function toYes({ input, remember: wish }: Readonly<Record<string, unknown>>): ApprovalYes | undefined {
  if (input !== undefined && (!isRecord(input) || Array.isArray(input))) return undefined;
  const remember = wish === undefined ? undefined : toWish(wish);
  // A yes that reaches nobody knows how far is none.
  if (wish !== undefined && remember === undefined) return undefined;
  return { decision: "allow", ...(input !== undefined && { input }), ...(remember !== undefined && { remember }) };
}

function toWish(wish: unknown): RememberWish | undefined {
  if (wish === "turn" || wish === "session") return wish;
  const rule = isRecord(wish) && hasOnly(wish, ["rule"]) ? wish["rule"] : undefined;
  const parameters: unknown = isRecord(rule) && hasOnly(rule, ["parameters"]) ? rule["parameters"] : undefined;
  if (!Array.isArray(parameters) || parameters.length > MAX_PARAMETERS) return undefined;
  const names = parameters.filter((name): name is string => typeof name === "string");
  return names.length === parameters.length ? { rule: { parameters: names } } : undefined;
}

function hasOnly(value: object, keys: readonly string[]): boolean {
  return Object.keys(value).every((key) => keys.includes(key));
}

function toText(value: unknown, longest: number): string | undefined {
  return typeof value === "string" && value !== "" ? value.slice(0, longest) : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
