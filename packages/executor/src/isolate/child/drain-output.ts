import { ToolError, type ToolContext } from "@aiw/core";

/** Milliseconds a generator may yield without a pause, so that aborts are heard. */
const TURN_MS = 20;

/** Waits for what a tool gives; what a generator yields is streamed. */
export async function drainOutput(output: unknown, context: ToolContext, signal: AbortSignal): Promise<unknown> {
  const given = await output;
  if (!isGenerator(given)) return given;
  let turn = performance.now();
  for (;;) {
    const step = await given.next();
    if (step.done === true) return step.value;
    context.emitOutput(String(step.value));
    if (performance.now() - turn > TURN_MS) {
      await new Promise<void>((resolve) => void setTimeout(resolve, 0));
      turn = performance.now();
    }
    if (signal.aborted) {
      await given.return(undefined);
      throw ToolError.is(signal.reason) ? signal.reason : new ToolError("cancelled", "Cancelled.");
    }
  }
}

function isGenerator(value: unknown): value is AsyncGenerator<unknown> | Generator<unknown> {
  if (typeof value !== "object" || value === null) return false;
  const { next, return: end } = value as Partial<AsyncGenerator>;
  return (
    typeof next === "function" &&
    typeof end === "function" &&
    (Symbol.asyncIterator in value || Symbol.iterator in value)
  );
}
