import type { ToolResult } from "@aiw/core";
import type { CallEvent } from "@aiw/executor";
import type { Context } from "@opentelemetry/api";

/** When the execution began, ended, and how its last attempt came out; times are those of `performance.now()`. */
export interface Execution {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly failed: boolean;
}

/** How one call is told to tracing. */
export interface CallTrace {
  /** The context of what the tool does; absent until it runs. */
  readonly context: Context | undefined;
  /** Runs one attempt so that what the tool starts belongs to the call; the first one began at `startedAt`. */
  runAttempt(execute: () => unknown, startedAt: number): unknown;
  onEvent(event: CallEvent): void;
  end(result: ToolResult, execution: Execution | undefined): void;
  /** The call stopped at a question; it goes on as another one. */
  suspend(execution: Execution | undefined): void;
}
