import type { JsonSchema } from "./json.ts";
import type { Principal, ToolResult } from "./tool-result.ts";

/** The folders a call may touch; chosen by the host, never by arguments. */
export interface WorkspaceRoots {
  /** Absolute; relative paths resolve against it. */
  readonly cwd: string;
  /** Absolute; an empty list admits no file at all. */
  readonly roots: readonly string[];
  /** Folders, or roots, in which nothing is written; relative ones lie in `cwd`. */
  readonly readOnly?: readonly string[];
  /** Patterns of paths that are neither read nor written, whether or not anything is there; relative ones belong to `cwd` and each root. */
  readonly deny?: readonly string[];
  /** Where the conversation keeps what takes changes of files back: `disk` unless given; `memory` ends with it. */
  readonly history?: "disk" | "memory";
}

/** Values of a package's options as the operator configured them, before its schema was known. */
export interface UntypedOptions {
  readonly [name: string]: unknown;
}

/** Structured log of a running tool; the host decides where it goes. */
export interface ToolLog {
  debug(message: string, fields?: { readonly [name: string]: unknown }): void;
  info(message: string, fields?: { readonly [name: string]: unknown }): void;
  warn(message: string, fields?: { readonly [name: string]: unknown }): void;
  error(message: string, fields?: { readonly [name: string]: unknown }): void;
}

/** How far the work is; `total` is in the unit of `progress`. */
export interface ToolProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** W3C trace context, as the headers of those names carry it. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string;
  readonly baggage?: string;
}

/** A question to a person; `schema` describes the answer's fields. */
export interface InputRequest {
  readonly message: string;
  /** A flat object schema; absent asks for a plain yes or no. */
  readonly schema?: JsonSchema;
}

/** What a person answered, in the words of MCP elicitation. */
export type InputAnswer =
  | { readonly action: "accept"; readonly content: { readonly [field: string]: unknown } }
  | { readonly action: "decline" | "cancel" };

/** What a session value is created from; it outlives the call that first asked for it. */
export interface SessionKeyContext<Options = UntypedOptions> {
  readonly sessionId: string;
  readonly workspace: WorkspaceRoots;
  readonly options: Options;
  readonly log: ToolLog;
  /** Aborts when the conversation ends. */
  readonly signal: AbortSignal;
}

/** Names one value of per-conversation state and says how it is made and closed. */
export interface SessionKey<Value = unknown> {
  /** `package/what`; equal names share one value. */
  readonly name: string;
  create(context: SessionKeyContext<never>): Value | Promise<Value>;
  dispose?(value: Value): void | Promise<void>;
}

/** Typed state of one conversation. */
export interface Session {
  readonly id: string;
  /** Creates the value at first use; concurrent callers get the same one, and a failed creation is tried again. */
  get<Value>(key: SessionKey<Value>): Promise<Value>;
}

/** All a running tool is given. Pass it on whole: its parts are made when they are asked for, and `{ ...context }` has not all of them. */
export interface ToolContext<Options = UntypedOptions> {
  readonly callId: string;
  readonly sessionId: string;
  /** Counts from 1 within a conversation; absent where nobody counts. */
  readonly turn?: number;
  readonly principal?: Principal;
  /** Equal for every attempt at the same work: what is asked to do it passes the key on, so that it is done once. */
  readonly idempotencyKey?: string | undefined;
  /** Aborts on cancellation, timeout and the end of the conversation. */
  readonly signal: AbortSignal;
  readonly workspace: WorkspaceRoots;
  /** The package's own settings, validated. */
  readonly options: Options;
  readonly session: Session;
  readonly log: ToolLog;
  /** Characters of a result, as JSON, that reach the model; what is longer the host shortens, so a tool that can page should. */
  readonly maxResultCharacters?: number;
  /** What requests to others may pass on, so that their traces are part of this one; absent where nobody traces. */
  readonly traceContext?: TraceContext | undefined;
  /** Streams output while the tool runs; the channel is `stdout` unless named. */
  emitOutput(chunk: string, options?: { readonly channel?: string }): void;
  emitProgress(progress: ToolProgress): void;
  /**
   * Asks a person; ask before the first effect, since a suspended call starts again with answers replayed by `key`.
   * @throws ToolError `input_unavailable` when nobody can answer.
   */
  requestInput(key: string, request: InputRequest): Promise<InputAnswer>;
  /** Calls another tool under the same policy; never throws. */
  callTool(name: string, input: unknown): Promise<ToolResult>;
}

/** A call that waits for an answer nobody can give right now; it is not a result. */
export interface Suspension {
  readonly suspended: true;
  readonly callId: string;
  readonly requests: readonly { readonly key: string; readonly request: InputRequest }[];
  /** Sealed by the host, which keeps it. */
  readonly state: unknown;
}
