import { toCanonicalJson, type InputAnswer, type JsonObject, type Principal } from "@aiw/core";
import type { ResumedApproval } from "../call/suspension.ts";
import type { RunningCall } from "../call/running-call.ts";
import { placeOf } from "../call/workspace-of-call.ts";

/** The version of what is sealed; another one is not understood. */
const VERSION = 1;

/** A question that was open, as far as its answer needs to know of it. */
export interface SealedQuestion {
  readonly kind: "approval" | "input";
  readonly key: string;
  readonly asked?: string;
}

/** All that a suspended call is bound to, and all it needs to go on (SEC-APR-1). */
export interface SuspendedState {
  readonly version: typeof VERSION;
  readonly nonce: string;
  /** Whoever sealed it, and the conversation as it knew it. */
  readonly sealedBy: string;
  readonly conversation: string | undefined;
  readonly toolId: string;
  readonly definitionHash: string | undefined;
  /** The arguments as they were given, within bounds. */
  readonly input: JsonObject;
  /** The folders, in one text. */
  readonly place: string;
  readonly sessionId: string | undefined;
  readonly turn: number | undefined;
  readonly principal: Principal | undefined;
  readonly timeoutMs: number | undefined;
  readonly startedAt: number;
  readonly workedMs: number;
  readonly approval: ResumedApproval | undefined;
  readonly inputs: readonly (readonly [key: string, answer: InputAnswer])[];
  readonly pending: readonly SealedQuestion[];
  readonly suspendedAt: number;
  readonly expiresAt: number;
}

/** What sealing knows beside the call. */
export interface Sealing {
  readonly sealedBy: string;
  readonly conversation: string | undefined;
  readonly expiresMs: number;
}

/** Takes down a call as it is suspended. */
export function toState(call: RunningCall, { sealedBy, conversation, expiresMs }: Sealing): SuspendedState {
  const { suspending, options } = call;
  const now = Date.now();
  const approval = suspending?.resumption?.approval;
  return {
    version: VERSION,
    nonce: crypto.randomUUID(),
    sealedBy,
    conversation,
    toolId: call.toolId,
    definitionHash: call.definitionHash,
    input: call.bounded?.value ?? {},
    place: toPlace(call.workspace),
    sessionId: call.sessionId,
    turn: call.turn,
    principal: call.principal,
    timeoutMs: options.timeoutMs,
    startedAt: call.startedAt,
    workedMs: call.durationMs,
    approval: approval && { ...approval, isNew: false },
    inputs: [...(suspending?.resumption?.inputs ?? [])],
    pending: [...(suspending?.pending.values() ?? [])].map(({ kind, key, asked }) => ({
      kind,
      key,
      ...(asked !== undefined && { asked }),
    })),
    suspendedAt: now,
    expiresAt: now + expiresMs,
  };
}

/** Reads what a seal has kept; undefined for another version. */
export function readState(text: string): SuspendedState | undefined {
  const state = JSON.parse(text) as SuspendedState;
  return state.version === VERSION ? state : undefined;
}

/** Folders as one text; a call without any has a text of its own. */
export function toPlace(workspace: RunningCall["workspace"]): string {
  return toCanonicalJson(workspace === undefined ? null : placeOf(workspace));
}
