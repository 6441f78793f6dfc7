import type { ToolResult } from "@aiw/core";
import type { CallEvent, ExtensionCall } from "@aiw/executor";
import type { CallTrace, Execution } from "./call-trace.ts";
import { ATTRIBUTE } from "./conventions.ts";
import { toToolLabel } from "./describe-call.ts";
import type { Instruments } from "./instruments.ts";
import { recordEnd, recordEvent } from "./record-call.ts";

/** One call as telemetry sees it, from its beginning to its end. */
export class WatchedCall {
  readonly #call: ExtensionCall;
  readonly #trace: CallTrace | undefined;
  readonly #instruments: Instruments | undefined;
  #startedAt: number | undefined;
  #endedAt: number | undefined;
  #failed = false;

  constructor(call: ExtensionCall, trace: CallTrace | undefined, instruments: Instruments | undefined) {
    this.#call = call;
    this.#trace = trace;
    this.#instruments = instruments;
    this.#countActive(1);
  }

  get trace(): CallTrace | undefined {
    return this.#trace;
  }

  /** Runs one attempt, and keeps when the first one began and the last one ended. */
  runAttempt(execute: () => unknown): void {
    this.#endedAt = undefined;
    try {
      this.#startedAt ??= performance.now();
      const output = this.#trace === undefined ? execute() : this.#trace.runAttempt(execute, this.#startedAt);
      if (!(output instanceof Promise)) return this.#endAttempt(false);
      output.then(
        () => this.#endAttempt(false),
        () => this.#endAttempt(true),
      );
    } catch (error) {
      this.#endAttempt(true);
      throw error;
    }
  }

  onEvent(event: CallEvent): void {
    this.#trace?.onEvent(event);
    if (this.#instruments !== undefined) recordEvent(this.#instruments, this.#call, event);
  }

  end(result: ToolResult): void {
    this.#countActive(-1);
    const execution = this.#execution();
    try {
      this.#trace?.end(result, execution);
    } finally {
      if (this.#instruments !== undefined) recordEnd(this.#instruments, this.#call, { result, execution });
    }
  }

  suspend(): void {
    this.#countActive(-1);
    this.#trace?.suspend(this.#execution());
  }

  /** What still runs at the end of its call counts as failed until now. */
  #execution(): Execution | undefined {
    if (this.#startedAt === undefined) return undefined;
    return {
      startedAt: this.#startedAt,
      endedAt: this.#endedAt ?? performance.now(),
      failed: this.#failed || this.#endedAt === undefined,
    };
  }

  #endAttempt(failed: boolean): void {
    this.#endedAt = performance.now();
    this.#failed = failed;
  }

  #countActive(change: 1 | -1): void {
    this.#instruments?.active.add(change, { [ATTRIBUTE.toolName]: toToolLabel(this.#call) });
  }
}
