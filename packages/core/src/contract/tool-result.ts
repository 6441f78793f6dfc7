/** Who or what a failure is about. */
export type ErrorType = "validation_error" | "user_error" | "system_error" | "permission_error" | "security_error";

/** How a failed call ended. */
export type FailureStatus = "error" | "denied" | "cancelled" | "timed_out" | "unknown_outcome";

/** How a call ended. */
export type ToolResultStatus = "ok" | FailureStatus;

/** Someone on whose behalf a call is made. */
export interface Principal {
  readonly id: string;
  readonly roles?: readonly string[];
}

/** One change that a host made to arguments so that they could be read. */
export interface ArgumentRepair {
  /**
   * `json_syntax`: the text was not JSON and was read as what it most likely means; `code_fence`: JSON stood in a fenced
   * block; `decoded_text`: a value that arrived as JSON text was decoded, since the schema wants another type.
   */
  readonly kind: "json_syntax" | "code_fence" | "decoded_text";
  /** JSON pointer to what was repaired; empty for all of the arguments. */
  readonly path: string;
  /** What was wrong, without values. */
  readonly problem: string;
}

/** Facts about one call, the same in results, events and records. */
export interface CallRecord {
  readonly callId: string;
  /** `package/tool`, or the bare name of a tool that no package owns. */
  readonly toolId: string;
  readonly toolName: string;
  readonly sessionId?: string;
  /** Counts from 1 within a conversation. */
  readonly turn?: number;
  readonly principal?: Principal;
  /** `sha256-…` of the canonical spec that was called; absent when no such tool exists. */
  readonly definitionHash?: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly durationMs: number;
  /** Executions started: 0 when the call was refused before it ran. */
  readonly attempts: number;
  /** What was done to the arguments before they were judged; absent when they were taken as given. */
  readonly repairs?: readonly ArgumentRepair[];
}

/** Says that a value was shortened for a model. */
export interface Truncation {
  readonly omittedCharacters: number;
  /** A reference under which the host keeps the whole value; empty when it was too large to keep. */
  readonly fullResult: string;
}

/** Media beside a value: `data` is base64, `uri` a reference. */
export interface Attachment {
  readonly type: "image" | "audio" | "file";
  readonly media_type: string;
  readonly data?: string;
  readonly uri?: string;
  readonly name?: string;
}

/** A call that did what it promises. */
export interface ToolSuccess<Value = unknown> {
  readonly success: true;
  readonly status: "ok";
  readonly error: "";
  readonly value: Value;
  /** A few lines of fact for a person. */
  readonly preview: readonly string[];
  readonly truncated?: Truncation;
  /** What the host adds for the model: repaired arguments, a call made before. */
  readonly notices?: readonly string[];
  readonly call: CallRecord;
}

/** A call that did not, in words a model can act on. */
export interface ToolFailure {
  readonly success: false;
  readonly status: FailureStatus;
  /** Begins with the call: `read(file_paths=["a.ts"]): File not found: a.ts`. */
  readonly error: string;
  readonly error_type: ErrorType;
  /** Fine-grained, lower_snake_case, from one catalogue per package. */
  readonly code: string;
  /** An executable next step with real values. */
  readonly suggestion?: string;
  /** The same call may work later with nothing changed. */
  readonly retryable: boolean;
  /** False when the work may still be running. */
  readonly settled: boolean;
  /** Bounded facts: candidates, partial output, exit codes. */
  readonly details?: { readonly [name: string]: unknown };
  readonly preview: readonly string[];
  /** What the host adds for the model: repaired arguments, a call made before. */
  readonly notices?: readonly string[];
  readonly call: CallRecord;
}

/** The one terminal outcome of a call. */
export type ToolResult<Value = unknown> = ToolSuccess<Value> | ToolFailure;
