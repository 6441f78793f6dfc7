import { ToolError } from "@aiw/core";

/** A call whose result the model has already. */
export interface RepeatedCall {
  readonly earlierCallId: string;
  readonly times: number;
  /** Where the host keeps the result. */
  readonly reference: string | undefined;
  /** The tool a model reads kept results with, where it has one. */
  readonly reader: string | undefined;
  /** The result itself, for a model that has no such tool. */
  readonly value: unknown;
  /** What is asked may change without a call of this conversation. */
  readonly mayChange: boolean;
}

/** Says to a model that it has the result, where, and what to do in place of asking again. */
export function repeatedCallError({
  earlierCallId,
  times,
  reference,
  reader,
  mayChange,
  value,
}: RepeatedCall): ToolError {
  const isReadable = reference !== undefined && reader !== undefined;
  const again = isReadable
    ? `; ${reader}(reference=${JSON.stringify(reference)}) gives it again.`
    : ", which stands here again.";
  const wait = mayChange
    ? "If you wait for a change, wait longer or do something else first."
    : "Go on with it, or make another call.";
  return new ToolError(
    "repeated_call",
    `The same call gave the same result before in this turn (call ${earlierCallId}), and nothing was changed since; it is not repeated.`,
    {
      suggestion: `Use that result${again} ${wait}`,
      details: {
        earlier_call: earlierCallId,
        times,
        ...(reference !== undefined && { reference }),
        // A model may have lost what it was given, and nobody must be left without it.
        ...(!isReadable && { result: value }),
      },
    },
  );
}
