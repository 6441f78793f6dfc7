import type { ActivityStream, Principal, SessionStore, ToolCatalog, TraceContext, WorkspaceRoots } from "@aiw/core";
import type { Approver } from "./approver.ts";

/** What a host says of one call; everything left out is the executor's own. */
export interface ExecuteOptions {
  /** Unique among running calls; a fresh one unless named. */
  readonly callId?: string;
  /** Names the conversation in records; the id of `session` unless named. */
  readonly sessionId?: string;
  /** State of the conversation; a call without one gets state that ends with it. */
  readonly session?: SessionStore;
  /** Counts from 1 within a conversation. */
  readonly turn?: number;
  /** Cancels the call; a `ToolError` as its reason becomes the result. */
  readonly signal?: AbortSignal;
  readonly principal?: Principal;
  readonly workspace?: WorkspaceRoots;
  /** The tools this call and calls within it may reach; every registered one unless named. */
  readonly catalog?: ToolCatalog;
  /** Milliseconds of work, all attempts together; can only lower what the tool and the host allow. */
  readonly timeoutMs?: number;
  /** Equal for every call that is to do the same work once; the tool is told, and what failed may be tried again. */
  readonly idempotencyKey?: string;
  /** How `input` arrives: a value, or the text a model wrote, which is parsed as JSON; a value unless named. */
  readonly inputFormat?: "value" | "json_text";
  /** Asked about this call alone, not about calls within it, in place of the executor's approver. */
  readonly approver?: Approver;
  /** Told of this call beside the executor's own stream. */
  readonly activity?: ActivityStream;
  /** The trace this call belongs to, where it came from elsewhere; spans of the call continue it. */
  readonly traceContext?: TraceContext;
}

/** Options of a call whose host takes a suspension where somebody else waits or is refused. */
export interface SuspendableOptions extends ExecuteOptions {
  readonly suspend: true;
}
