import { toCanonicalJson, type JsonObject, type SessionStore } from "@aiw/core";
import type { ApprovalScope, RememberWish } from "../call/approver.ts";
import type { RunningCall } from "../call/running-call.ts";
import { toAdmitted } from "../call/admitted-call.ts";
import { placeOf } from "../call/workspace-of-call.ts";

/** Answers one conversation keeps; the oldest give way. */
const MAX_ANSWERS = 1000;

/** What memory compares of a call: all that a person was shown of it. */
export interface MemorableCall {
  readonly session: SessionStore | undefined;
  readonly turn: number | undefined;
  /** The tool, its definition, its settings, its folders and who asks, in one text. */
  readonly subject: string;
  readonly input: JsonObject;
  /** What the call does, in one text. */
  readonly effects: string;
  /** What the call touches, in one text. */
  readonly resources: string;
}

/** An answer that stands from earlier. */
export type RememberedAnswer =
  | { readonly decision: "allow"; readonly scope: ApprovalScope }
  | { readonly decision: "deny"; readonly reason: string | undefined };

interface Entry {
  readonly answer: RememberedAnswer;
  readonly until: number;
  covers(call: MemorableCall): boolean;
}

/**
 * What people answered in each conversation. A yes covers calls in which everything it was shown for is as it was; a no covers the
 * same call for the rest of its turn. Forgotten with the conversation's state.
 */
export class ApprovalMemory {
  readonly #conversations = new WeakMap<SessionStore, readonly Entry[]>();
  readonly #asking = new WeakMap<SessionStore, Map<string, Promise<unknown>>>();

  /** The answer that stands for a call; a no comes first. */
  recall(call: MemorableCall): RememberedAnswer | undefined {
    const entries = this.#entriesOf(call);
    const covering = entries?.filter((entry) => entry.covers(call)).map(({ answer }) => answer);
    return covering?.find(({ decision }) => decision === "deny") ?? covering?.[0];
  }

  /** Keeps a no, so that nobody is asked the same again in this turn. */
  refuse(call: MemorableCall, reason: string | undefined, forMs: number): void {
    const { turn, subject } = call;
    const input = toCanonicalJson(call.input);
    this.#add(call, forMs, {
      answer: { decision: "deny", reason },
      covers: (other) => other.turn === turn && other.subject === subject && toCanonicalJson(other.input) === input,
    });
  }

  /** Keeps a yes as far as it reaches. */
  allow(call: MemorableCall, wish: RememberWish, forMs: number): void {
    const scope = toScope(wish);
    const answer: RememberedAnswer = { decision: "allow", scope };
    this.#add(call, forMs, {
      answer,
      covers: typeof wish === "object" ? coversRule(call, wish) : coversSame(call, scope),
    });
  }

  /** The same question, where somebody thinks about it right now: its answer may stand for this call too. */
  askedNow(call: MemorableCall): Promise<unknown> | undefined {
    return call.session && this.#asking.get(call.session)?.get(toQuestion(call));
  }

  /** Lets equal calls know of a question until it is answered, or cannot be. */
  asking({ session, ...call }: MemorableCall, answering: Promise<unknown>): void {
    const answered = answering.catch(() => undefined);
    if (session === undefined) return;
    const open = this.#asking.get(session) ?? new Map<string, Promise<unknown>>();
    this.#asking.set(session, open);
    const question = toQuestion(call);
    open.set(question, answered);
    void answered.then(() => {
      if (open.get(question) === answered) open.delete(question);
    });
  }

  #add({ session }: MemorableCall, forMs: number, entry: Omit<Entry, "until">): void {
    if (session === undefined) return;
    const kept = this.#conversations.get(session) ?? [];
    this.#conversations.set(session, [...kept.slice(1 - MAX_ANSWERS), { ...entry, until: performance.now() + forMs }]);
  }

  #entriesOf({ session }: MemorableCall): readonly Entry[] | undefined {
    const known = session && this.#conversations.get(session);
    if (session === undefined || known === undefined) return undefined;
    const now = performance.now();
    const fresh = known.filter(({ until }) => until > now);
    if (fresh.length < known.length) this.#conversations.set(session, fresh);
    return fresh;
  }
}

function toQuestion({ turn, subject, input }: Omit<MemorableCall, "session">): string {
  return toCanonicalJson([turn ?? null, subject, input]);
}

/** The scope of a wish, as records name it. */
export function toScope(wish: RememberWish | undefined): ApprovalScope {
  if (wish === undefined) return "once";
  return typeof wish === "object" ? "rule" : wish;
}

/** What memory knows a call by, with its arguments and its verdict as they stand. */
export async function toMemorable(call: RunningCall): Promise<MemorableCall> {
  const { validated, definitionHash } = toAdmitted(call);
  const { workspace, principal, verdict, options, toolId, entry } = call;
  const place = placeOf(workspace);
  const who = [principal?.id ?? null, principal?.roles ?? []];
  return {
    session: options.session,
    turn: call.turn,
    subject: toCanonicalJson([toolId, definitionHash, await hashSettings(entry?.options), ...place, ...who]),
    input: validated.input,
    effects: toCanonicalJson(verdict?.effects ?? null),
    resources: toCanonicalJson(verdict?.resources ?? []),
  };
}

/** The same arguments for another address are another call; settings may hold secrets, which are kept nowhere. */
async function hashSettings(settings: unknown): Promise<string> {
  if (settings === undefined) return "";
  const text = new TextEncoder().encode(toText(settings));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", text));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Settings that are no JSON are a host's own, in code. */
function toText(settings: unknown): string {
  try {
    return toCanonicalJson(settings);
  } catch {
    return "";
  }
}

function coversSame(call: MemorableCall, scope: ApprovalScope): Entry["covers"] {
  const { turn, subject, effects, resources } = call;
  const input = toCanonicalJson(call.input);
  return (other) =>
    (scope === "session" || other.turn === turn) &&
    other.subject === subject &&
    other.effects === effects &&
    other.resources === resources &&
    toCanonicalJson(other.input) === input;
}

/** Arguments that are not named may differ, and with them what the call touches, but not what it does. */
function coversRule(call: MemorableCall, { rule }: Exclude<RememberWish, string>): Entry["covers"] {
  const { subject, effects } = call;
  const named = rule.parameters.map((name) => [name, toArgument(call.input, name)] as const);
  return (other) =>
    other.subject === subject &&
    other.effects === effects &&
    named.every(([name, value]) => toArgument(other.input, name) === value);
}

/** An argument as text; one that is absent stays apart from every value. */
function toArgument(input: JsonObject, name: string): string {
  return Object.hasOwn(input, name) ? toCanonicalJson(input[name]) : "";
}
