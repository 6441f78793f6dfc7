import type { JsonObject, Principal, ToolEffects } from "@aiw/core";

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
  readonly definitionHash: string;
  /** The folder relative paths resolve against. */
  readonly cwd?: string;
}

/** A person's answer; `input` replaces the arguments, which are then validated and judged again. */
export type ApprovalAnswer =
  | { readonly decision: "allow"; readonly input?: { readonly [parameter: string]: unknown } }
  | { readonly decision: "deny"; readonly reason?: string };

/** How the question about a call was answered. */
export interface ApprovalOutcome {
  readonly decision: "allow" | "deny";
  readonly reason?: string;
}

/** Asks somebody; the signal aborts when the call no longer waits. Throwing denies. */
export type Approver = (
  request: ApprovalRequest,
  options: { readonly signal: AbortSignal },
) => ApprovalAnswer | Promise<ApprovalAnswer>;

/** Reads what an approver gave back; undefined for anything that is no answer. */
export function readAnswer(answer: unknown): ApprovalAnswer | undefined {
  if (typeof answer !== "object" || answer === null || !("decision" in answer)) return undefined;
  if (answer.decision === "deny") {
    const reason = "reason" in answer && typeof answer.reason === "string" ? answer.reason.slice(0, 1000) : undefined;
    return { decision: "deny", ...(reason !== undefined && reason !== "" && { reason }) };
  }
  if (answer.decision !== "allow") return undefined;
  const input = "input" in answer ? answer.input : undefined;
  if (input === undefined) return { decision: "allow" };
  if (typeof input !== "object" || input === null || Array.isArray(input)) return undefined;
  return { decision: "allow", input: input as { readonly [parameter: string]: unknown } };
}
