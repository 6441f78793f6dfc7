import type { ToolContext, ValidatedCall } from "@aiw/core";

/** Runs the tools of one `type`; streaming, cancellation and output checks are done around it. */
export interface Executor {
  /** Gives the output, or chunks of it followed by the output, as a tool's own `execute` does; obeys `context.signal`. */
  execute(call: ValidatedCall, context: ToolContext): unknown;
  /** Throws what makes the call impossible, before a person is asked about it; must have no effect. */
  assertRunnable?(call: ValidatedCall): void | Promise<void>;
  /** Lets go of what outlives a call; called once, when the executor closes. */
  close?(): Promise<void>;
}
