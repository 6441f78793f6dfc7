import { isGenerator, type Parse, type Tool } from "../contract/tool.ts";
import type { ToolContext } from "../contract/tool-context.ts";
import { AiwError } from "../errors/aiw-error.ts";
import { ToolError } from "../errors/tool-error.ts";
import { checkOutput } from "../validate/validate-output.ts";
import { isThenable, whenReady } from "../validate/when-ready.ts";
import type { AbortSource } from "./abort-source.ts";
import { toAbortSource } from "./call-context.ts";
import { isValidatedCall, type ValidatedCall } from "./validate-call.ts";

/** Milliseconds an aborted tool has to stop before its result says that it may still run. */
export const DEFAULT_GRACE_MS = 2000;

/** Milliseconds a generator may yield without a pause; then timers and signals get their turn, or no limit could stop it. */
const TURN_MS = 20;

/** Settings of one execution. */
export interface ExecuteCallOptions {
  /** Milliseconds between the abort and an unsettled result; 2,000 unless named. */
  readonly graceMs?: number;
  /** Told of work that goes on after the grace, before its result says so; the promise is kept when the work ends. */
  onUnsettled?(ended: Promise<void>): void;
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
  return startCall(call, context, options);
}

/**
 * The same; the value itself where the tool has given it at once and nobody aborted meanwhile.
 * @throws ToolError for every failure meant for a model; whatever else the tool throws is its own fault.
 */
export function startCall(call: ValidatedCall, context: ToolContext, options: ExecuteCallOptions = {}): unknown {
  if (!isValidatedCall(call))
    throw new AiwError("tool_definition_invalid", "Only what validateCall returned can be executed.");
  const abort = toAbortSource(context);
  if (abort.aborted) throw toAbortError(abort.signal, true);
  const output = begin(call, context, options);
  if (!(output instanceof Promise) && !abort.aborted) return checkValue(call.tool, output);
  return settle(Promise.resolve(output), abort, options).then((value) => checkValue(call.tool, value));
}

/** What the tool gives, or a promise of it; a tool that throws after an abort has not decided the outcome. */
function begin(call: ValidatedCall, context: ToolContext, options: ExecuteCallOptions): unknown {
  try {
    const output: unknown =
      options.run === undefined
        ? call.tool.execute(call.arguments, context as ToolContext<unknown>)
        : options.run(call, context);
    if (isThenable(output)) return waitFor(output, context);
    return isGenerator(output) ? drain(output, context) : output;
  } catch (error) {
    if (!toAbortSource(context).aborted) throw error;
    return Promise.reject(error);
  }
}

async function waitFor(pending: PromiseLike<unknown>, context: ToolContext): Promise<unknown> {
  const output = await pending;
  return isGenerator(output) ? drain(output, context) : output;
}

/** Async generators stream; plain ones, which JavaScript authors write too, do the same. */
async function drain(generator: AsyncGenerator<unknown> | Generator<unknown>, context: ToolContext): Promise<unknown> {
  const abort = toAbortSource(context);
  let turn = performance.now();
  for (;;) {
    const step = await generator.next();
    if (step.done === true) return step.value;
    try {
      context.emitOutput(String(step.value));
    } catch (error) {
      // What it holds, it lets go of in its `finally`.
      await generator.return(undefined);
      throw error;
    }
    if (performance.now() - turn > TURN_MS) {
      await new Promise<void>((resolve) => setTimeout(resolve, 0));
      turn = performance.now();
    }
    if (abort.aborted) {
      await generator.return(undefined);
      throw toAbortError(abort.signal, true);
    }
  }
}

/** Waits for the work, or for an abort and then the grace the work has to stop. */
async function settle(work: Promise<unknown>, abort: AbortSource, options: ExecuteCallOptions): Promise<unknown> {
  // The work may have been aborted while it began, before anybody listened.
  if (abort.aborted) throw await afterAbort(work, abort.signal, options);
  const { promise: first, resolve, reject } = Promise.withResolvers<{ readonly value: unknown } | "aborted">();
  const unsubscribe = abort.subscribe(() => resolve("aborted"));
  work.then((value) => resolve({ value }), reject);
  try {
    const outcome = await first;
    if (outcome !== "aborted") return outcome.value;
  } catch (error) {
    if (!abort.aborted) throw error;
  } finally {
    unsubscribe();
  }
  throw await afterAbort(work, abort.signal, options);
}

/** The abort decides the outcome; what the work says on its way out is kept as details. */
async function afterAbort(
  work: Promise<unknown>,
  signal: AbortSignal,
  options: ExecuteCallOptions,
): Promise<ToolError> {
  const { graceMs = DEFAULT_GRACE_MS } = options;
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
  if (outcome === "expired") {
    const toNothing = (): void => undefined;
    options.onUnsettled?.(work.then(toNothing, toNothing));
    return toAbortError(signal, false);
  }
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

function checkValue(tool: Tool, value: unknown): unknown {
  if (tool.parseOutput !== undefined) return parseValue(tool.parseOutput, value);
  return whenReady(checkOutput(tool.spec, value), () => value);
}

function parseValue(parseOutput: Parse<unknown>, value: unknown): unknown {
  const parsing = parseOutput(value);
  return whenReady(isThenable(parsing) ? Promise.resolve(parsing) : parsing, (parsed) => {
    if (parsed.issues === undefined) return parsed.value;
    const lines = parsed.issues
      .slice(0, 20)
      .map(({ message, path = [] }) => `${path.map(String).join(".") || "value"}: ${message}`);
    throw new ToolError("invalid_output", `The tool's output is not what it promises: ${lines.join("; ")}.`);
  });
}
