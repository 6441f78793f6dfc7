import { isGenerator, type Tool } from "../contract/tool.ts";
import type { ToolContext } from "../contract/tool-context.ts";
import { AiwError } from "../errors/aiw-error.ts";
import { ToolError } from "../errors/tool-error.ts";
import { validateOutput } from "../validate/validate-output.ts";
import { isValidatedCall, type ValidatedCall } from "./validate-call.ts";

/** Milliseconds an aborted tool has to stop before its result says that it may still run. */
export const DEFAULT_GRACE_MS = 2000;

/** Milliseconds a generator may yield without a pause; then timers and signals get their turn, or no limit could stop it. */
const TURN_MS = 20;

/** Settings of one execution. */
export interface ExecuteCallOptions {
  /** Milliseconds between the abort and an unsettled result; 2,000 unless named. */
  readonly graceMs?: number;
  /** Does the work in place of the tool's own `execute`: how a host runs tools whose code is elsewhere. */
  run?(call: ValidatedCall, context: ToolContext): unknown;
}

/**
 * Runs a validated call: streams what a generator yields, obeys the signal, checks the output.
 * @throws ToolError for every failure meant for a model; whatever else the tool throws is its own fault.
 */
export async function executeCall(
  call: ValidatedCall,
  context: ToolContext,
  options: ExecuteCallOptions = {},
): Promise<unknown> {
  if (!isValidatedCall(call))
    throw new AiwError("tool_definition_invalid", "Only what validateCall returned can be executed.");
  const { signal } = context;
  if (signal.aborted) throw toAbortError(signal, true);
  const work = run(call, context, options);
  const value = await settle(work, signal, options.graceMs ?? DEFAULT_GRACE_MS);
  return checkOutput(call.tool, value);
}

async function run(call: ValidatedCall, context: ToolContext, options: ExecuteCallOptions): Promise<unknown> {
  const output: unknown = await (options.run === undefined
    ? call.tool.execute(call.arguments, context as ToolContext<unknown>)
    : options.run(call, context));
  return isGenerator(output) ? drain(output, context) : output;
}

/** Async generators stream; plain ones, which JavaScript authors write too, do the same. */
async function drain(generator: AsyncGenerator<unknown> | Generator<unknown>, context: ToolContext): Promise<unknown> {
  let turn = performance.now();
  for (;;) {
    const step = await generator.next();
    if (step.done === true) return step.value;
    context.emitOutput(String(step.value));
    if (performance.now() - turn > TURN_MS) {
      await new Promise<void>((resolve) => setTimeout(resolve, 0));
      turn = performance.now();
    }
    if (context.signal.aborted) {
      await generator.return(undefined);
      throw toAbortError(context.signal, true);
    }
  }
}

/** Waits for the work, or for an abort and then the grace the work has to stop. */
async function settle(work: Promise<unknown>, signal: AbortSignal, graceMs: number): Promise<unknown> {
  const abort = Promise.withResolvers<"aborted">();
  const onAbort = (): void => abort.resolve("aborted");
  signal.addEventListener("abort", onAbort, { once: true });
  // The work may have been aborted while it began, before anybody listened.
  if (signal.aborted) onAbort();
  try {
    const first = await Promise.race([work.then((value) => ({ value })), abort.promise]);
    if (first !== "aborted") return first.value;
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
  throw await afterAbort(work, signal, graceMs);
}

/** The abort decides the outcome; what the work says on its way out is kept as details. */
async function afterAbort(work: Promise<unknown>, signal: AbortSignal, graceMs: number): Promise<ToolError> {
  const grace = Promise.withResolvers<"expired">();
  const timer = setTimeout(() => grace.resolve("expired"), graceMs);
  const outcome = await Promise.race([
    work.then(
      () => "finished" as const,
      (error: unknown) => ({ error }),
    ),
    grace.promise,
  ]);
  clearTimeout(timer);
  if (outcome === "expired") return toAbortError(signal, false);
  if (outcome === "finished") return toAbortError(signal, true, "The work had finished by then: its effects stand.");
  return ToolError.is(outcome.error)
    ? withDetails(toAbortError(signal, outcome.error.settled), outcome.error)
    : toAbortError(signal, true);
}

function withDetails(abort: ToolError, { details, suggestion }: ToolError): ToolError {
  return new ToolError(abort.code, abort.message, {
    cause: abort.cause,
    settled: abort.settled,
    retryable: abort.retryable,
    ...(details !== undefined && { details }),
    ...((abort.suggestion ?? suggestion) !== undefined && { suggestion: abort.suggestion ?? suggestion ?? "" }),
  });
}

/** Turns an abort into the failure it stands for: the `ToolError` given as reason, else a cancellation. */
export function toAbortError(signal: AbortSignal, settled: boolean, note?: string): ToolError {
  const reason: unknown = signal.reason;
  const given = ToolError.is(reason) ? reason : undefined;
  const notes = [note, settled ? undefined : "It may still be running."].filter((part) => part !== undefined);
  return new ToolError(given?.code ?? "cancelled", [given?.message ?? "Cancelled.", ...notes].join(" "), {
    cause: reason,
    settled: settled && (given?.settled ?? true),
    ...(given?.suggestion !== undefined && { suggestion: given.suggestion }),
    ...(given?.details !== undefined && { details: given.details }),
  });
}

async function checkOutput(tool: Tool, value: unknown): Promise<unknown> {
  if (tool.parseOutput !== undefined) {
    const parsed = await tool.parseOutput(value);
    if (parsed.issues === undefined) return parsed.value;
    const lines = parsed.issues
      .slice(0, 20)
      .map(({ message, path = [] }) => `${path.map(String).join(".") || "value"}: ${message}`);
    throw new ToolError("invalid_output", `The tool's output is not what it promises: ${lines.join("; ")}.`);
  }
  if (tool.spec.outputSchema !== undefined) await validateOutput(tool.spec, value);
  return value;
}
