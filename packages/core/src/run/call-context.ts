import type { ToolContext } from "../contract/tool-context.ts";
import { fromSignal, type AbortSource } from "./abort-source.ts";
import type { CallEnvironment } from "./call-environment.ts";
import { RunningContext } from "./running-context.ts";

/** A context and its end, after which the tool's output goes nowhere. */
export interface CallContext extends AsyncDisposable {
  readonly context: ToolContext;
  /** Ends the context; a promise where state of the call's own has to be closed. */
  end(): void | Promise<void>;
}

/** Makes the context of one call; `options` are the package's settings after validation. */
export function createCallContext(environment: CallEnvironment, options: unknown): CallContext {
  return new OpenContext(new RunningContext(environment, options));
}

/** Tells how a call is aborted without making its signal, where the context is one of ours. */
export function toAbortSource(context: ToolContext): AbortSource {
  return RunningContext.abortOf(context) ?? fromSignal(context.signal);
}

/** Apart from the context, whose tool must not end its own call. */
class OpenContext implements CallContext {
  readonly context: RunningContext;

  constructor(context: RunningContext) {
    this.context = context;
  }

  end(): void | Promise<void> {
    return RunningContext.end(this.context);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }
}
