import type { ToolFailure } from "@aiw/core";
import { toFailureText } from "./failure-text.ts";

const BRAND = Symbol.for("@aiw/ai-sdk/tool-call-error");

/** A failed call as the AI SDK wants it: thrown, so that interfaces, callbacks and traces of the host see a failure. */
export class ToolCallError extends Error {
  override readonly name = "ToolCallError";
  readonly result: ToolFailure;

  static {
    Object.defineProperty(this.prototype, BRAND, { value: true });
  }

  constructor(result: ToolFailure) {
    super(toFailureText(result));
    this.result = result;
    // The stack would lead into this adapter, and logs print it at length.
    this.stack = this.message;
  }

  /** Recognises a `ToolCallError` from any copy of this package. */
  static is(value: unknown): value is ToolCallError {
    return value instanceof Error && BRAND in value;
  }

  /** The model reads exactly this: the text alone, without a name in front. */
  override toString(): string {
    return this.message;
  }
}
