import { ToolError, type ToolResult } from "@aiw/core";
import type { RunningCall } from "../call/running-call.ts";
import { toExtensionError } from "../call/extension-error.ts";
import { toPromise } from "../call/to-promise.ts";
import type { ClosingStep } from "../pipeline/run-stages.ts";
import { answerWithin } from "./answer-within.ts";
import { blameExtension } from "./blame-extension.ts";
import type { Extension } from "./extension.ts";
import { readResult } from "./read-result.ts";

/** What the hooks after the work need of the host. */
export interface ExtensionClosingOptions {
  /** Milliseconds a hook has. */
  readonly limitMs: number;
  /** Makes the result of a call whose result is withheld. */
  fail(call: RunningCall, error: ToolError): ToolResult;
}

/** An extension's hooks after the work as a closing step; undefined for one that has none. */
export function toExtensionClosing(
  extension: Extension,
  options: ExtensionClosingOptions,
): ClosingStep<RunningCall, ToolResult> | undefined {
  if (extension.afterExecute === undefined && extension.onError === undefined) return undefined;
  // What watches sees every call, and its result as it leaves; the others see calls that came to them, and the whole result.
  if (extension.stage === "trace" || extension.stage === "audit_open")
    return { stage: "audit_close", after: (call, result) => runAfter(extension, { call, result, options }) };
  return {
    stage: "validate_output",
    after: (call, result) =>
      call.entered?.includes(extension.name) === true ? runAfter(extension, { call, result, options }) : result,
  };
}

interface Closing {
  readonly call: RunningCall;
  readonly result: ToolResult;
  readonly options: ExtensionClosingOptions;
}

function runAfter(extension: Extension, closing: Closing): ToolResult | Promise<ToolResult> {
  const { call, result, options } = closing;
  try {
    const given = result.success ? extension.afterExecute?.(call, result) : extension.onError?.(call, result);
    const pending = toPromise(given);
    if (pending === undefined) return take(given, result);
    return answerWithin(pending, options.limitMs).then(
      (late) => take(late, result),
      (error: unknown) => withhold(extension, closing, error),
    );
  } catch (error) {
    return withhold(extension, closing, error);
  }
}

/** @throws TypeError for what is no result. */
function take(given: unknown, result: ToolResult): ToolResult {
  if (given === undefined) return result;
  const taken = readResult(given);
  if (taken === undefined) throw new TypeError("What the hook gave is no result.");
  // A result is of its call, whatever else an extension makes of it.
  return { ...taken, call: result.call };
}

function withhold(extension: Extension, { call, result, options }: Closing, error: unknown): ToolResult {
  try {
    blameExtension(extension, call, error);
    return result;
  } catch (refusal) {
    if (refusal === error && ToolError.is(refusal)) return options.fail(call, refusal);
    return options.fail(call, toExtensionError(extension.name, toConsequence(call, result)));
  }
}

/** Where no work began, there is no result of it to withhold. */
function toConsequence({ attempts }: RunningCall, { success }: ToolResult): string {
  if (success) return "The work was done; its result is withheld, since";
  return attempts === 0 ? "The call had ended before its work began, and then" : "The result is withheld, since";
}
