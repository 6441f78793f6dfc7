import {
  AiwError,
  resolveDefinitionHash,
  ToolError,
  toCanonicalJson,
  type SessionStore,
  type ToolRegistry,
  type WorkspaceRoots,
} from "@aiw/core";
import type { ExecuteOptions } from "../call/execute-options.ts";
import type { AskedCall } from "../call/open-call.ts";
import type { RunningCall } from "../call/running-call.ts";
import type { SuspendedCall, SuspensionAnswers, SuspensionOptions } from "../call/suspension.ts";
import { ClaimedStates } from "./claimed-states.ts";
import { toResumption } from "./resumed-answers.ts";
import { TextSeal } from "./seal-text.ts";
import { workspaceOfCall } from "../call/workspace-of-call.ts";
import { readState, toPlace, toState, type SuspendedState } from "./suspended-state.ts";

const DEFAULT_EXPIRES_MS = 86_400_000;

/** Ids of suspended calls that are kept from other calls. */
const MAX_WAITING = 100_000;

/** What a host brings when a call is to go on. */
export interface Resuming {
  readonly callId: string;
  readonly state: unknown;
  readonly answers: SuspensionAnswers;
  readonly options: ExecuteOptions;
}

/** What calls are compared with when they go on. */
export interface SuspensionHost {
  readonly registry: ToolRegistry;
  readonly workspace: WorkspaceRoots | undefined;
}

interface Waiting {
  readonly expiresAt: number;
  readonly conversation: string | undefined;
}

/** Puts calls to sleep under seal, and wakes each of them once, if all that it was bound to is as it was. */
export class Suspensions {
  readonly #id = crypto.randomUUID();
  readonly #seal: TextSeal;
  readonly #expiresMs: number;
  readonly #claim: NonNullable<SuspensionOptions["claim"]>;
  readonly #conversations = new WeakMap<SessionStore, string>();
  readonly #host: SuspensionHost;
  /** Ids of calls that wait, each until it cannot go on any more. */
  readonly #waiting = new Map<string, Waiting>();

  /** @throws AiwError `config_invalid` for a key, a time or a claim that is none, and for what is no setting. */
  constructor(host: SuspensionHost, options: SuspensionOptions = {}) {
    assertOptions(options);
    const { sealKey, expiresMs = DEFAULT_EXPIRES_MS, claim } = options;
    const claims = new ClaimedStates();
    this.#host = host;
    this.#seal = new TextSeal(sealKey);
    this.#expiresMs = expiresMs;
    this.#claim = claim ?? ((nonce, expiresAt) => claims.claim(nonce, expiresAt));
  }

  /** True for the id of a call that may still go on here: no other call may take it. */
  has(callId: string): boolean {
    const waiting = this.#waiting.get(callId);
    if (waiting === undefined || waiting.expiresAt >= Date.now()) return waiting !== undefined;
    this.#waiting.delete(callId);
    return false;
  }

  /** Ends what waits in a conversation: nothing of it can go on here. */
  forget(session: SessionStore): void {
    const conversation = this.#conversations.get(session);
    if (!this.#conversations.delete(session)) return;
    for (const [callId, waiting] of this.#waiting)
      if (waiting.conversation === conversation) this.#waiting.delete(callId);
  }

  /** Seals a call that stopped at questions. */
  async suspend(call: RunningCall): Promise<SuspendedCall> {
    const conversation = call.options.session && this.#conversationOf(call.options.session);
    const state = toState(call, { sealedBy: this.#id, conversation, expiresMs: this.#expiresMs });
    const sealed = await this.#seal.seal(JSON.stringify(state), toPurpose(call.callId));
    const requests = [...(call.suspending?.pending.values() ?? [])].map(({ key, request, approval }) => ({
      key,
      request,
      ...(approval !== undefined && { approval }),
    }));
    this.#wait(call.callId, state);
    return { suspended: true, callId: call.callId, requests, state: sealed, expiresAt: state.expiresAt };
  }

  /**
   * Gives the call that goes on; one that cannot any more carries the refusal that ends it. A failure alone where the call is not
   * this host's to end: `suspension_invalid`, `suspension_used`. Never throws.
   */
  async resume(resuming: Resuming): Promise<AskedCall | ToolError> {
    try {
      return await this.#resume(resuming);
    } catch (error) {
      return ToolError.is(error) ? error : invalid("cannot be compared with what was sealed", error);
    }
  }

  async #resume({ callId, state: sealed, answers, options }: Resuming): Promise<AskedCall> {
    const text = await this.#seal.open(sealed, toPurpose(callId));
    const state = text === undefined ? undefined : readState(text);
    if (state === undefined)
      throw invalid("cannot be read: it was altered, is of another call, or another key sealed it");
    this.#assertOwner(state, options);
    const resumption = toResumption(state, answers);
    const refusal = await this.#findChange(state, options);
    // Last of all: what cannot be read must not use up the call.
    await this.#assertFirst(state);
    this.#waiting.delete(callId);
    const { toolId, input, sessionId, turn, principal } = state;
    const timeoutMs = Math.min(...[state.timeoutMs, options.timeoutMs].filter((time) => time !== undefined));
    return {
      name: toolId,
      input,
      options: {
        ...options,
        callId,
        inputFormat: "value",
        ...(sessionId !== undefined && { sessionId }),
        ...(turn !== undefined && { turn }),
        ...(principal !== undefined && { principal }),
        ...(timeoutMs !== Infinity && { timeoutMs }),
      },
      suspending: { pending: new Map(), resumption },
      ...(refusal !== undefined && { refusal }),
    };
  }

  /** Another conversation's or caller's call is not theirs to end either. */
  #assertOwner(state: SuspendedState, { session, sessionId = session?.id, principal }: ExecuteOptions): void {
    if (state.conversation !== undefined && session === undefined)
      throw invalid("belongs to a conversation, whose session has to be given");
    const isSame = state.sealedBy !== this.#id || state.conversation === (session && this.#conversationOf(session));
    if (!isSame || (sessionId !== undefined && sessionId !== state.sessionId))
      throw invalid("belongs to another conversation, or to one that has ended");
    if (principal !== undefined && toCanonicalJson(principal) !== toCanonicalJson(state.principal ?? null))
      throw invalid("belongs to another caller");
  }

  async #assertFirst({ nonce, expiresAt }: SuspendedState): Promise<void> {
    const isFirst: unknown = await this.#claim(nonce, expiresAt);
    if (isFirst === true) return;
    throw new ToolError("suspension_used", "The suspended call was resumed before.", {
      suggestion: "Wait for the result it has there, or make the call again.",
    });
  }

  async #findChange(state: SuspendedState, options: ExecuteOptions): Promise<ToolError | undefined> {
    if (Date.now() > state.expiresAt)
      return new ToolError("suspension_expired", "The answers came too late for the suspended call.", {
        suggestion: "Make the call again, if it is still wanted.",
      });
    if (toPlace(workspaceOfCall(options.workspace, this.#host.workspace)) !== state.place)
      return suspensionChangedError("its folders");
    const spec = this.#host.registry.getEntry(state.toolId)?.spec;
    if (spec === undefined || state.definitionHash === undefined) return undefined;
    return (await resolveDefinitionHash(spec)) === state.definitionHash
      ? undefined
      : suspensionChangedError("its tool");
  }

  /** The oldest give way: a host that forgets suspended calls must not fill the memory. */
  #wait(callId: string, { expiresAt, conversation }: SuspendedState): void {
    const [oldest] = this.#waiting.keys();
    if (this.#waiting.size >= MAX_WAITING && oldest !== undefined) this.#waiting.delete(oldest);
    this.#waiting.set(callId, { expiresAt, conversation });
  }

  /** Another conversation of the same name is another one. */
  #conversationOf(session: SessionStore): string {
    const known = this.#conversations.get(session) ?? crypto.randomUUID();
    this.#conversations.set(session, known);
    return known;
  }
}

function assertOptions({
  sealKey: _sealKey,
  expiresMs = DEFAULT_EXPIRES_MS,
  claim,
  ...others
}: SuspensionOptions): void {
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw invalidOption(unknown, "is no setting");
  if (!(typeof expiresMs === "number" && expiresMs >= 1 && expiresMs <= Number.MAX_SAFE_INTEGER))
    throw invalidOption("expiresMs", "must be a number of milliseconds, 1 at least");
  if (claim !== undefined && typeof claim !== "function") throw invalidOption("claim", "must be a function");
}

function invalidOption(name: string, must: string): AiwError {
  return new AiwError("config_invalid", `suspension.${name} ${must}.`, {
    fix: `Correct suspension.${name}, or leave it out for the default.`,
  });
}

/** The failure of a call that is not what it was when it was suspended. */
export function suspensionChangedError(what: string): ToolError {
  return new ToolError("suspension_changed", `The call cannot go on: ${what} changed while it was suspended.`, {
    suggestion: "Make the call again, so that it is judged and asked about as things are now.",
  });
}

function invalid(why: string, cause?: unknown): ToolError {
  return new ToolError("suspension_invalid", `The state of the suspended call ${why}.`, {
    suggestion: "Pass on the callId and the state exactly as they were given, within the same conversation.",
    cause,
  });
}

function toPurpose(callId: string): string {
  return `aiw suspended call ${callId}`;
}
