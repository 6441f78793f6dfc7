import { BoundedInput, type ArgumentRepair, type ToolError } from "@aiw/core";
import type { RunningCall } from "../call/running-call.ts";
import type { PipelineStep } from "../pipeline/run-stages.ts";
import { isPlainJson } from "./keeps-meaning.ts";
import { repairJson } from "./repair-json.ts";

/** Reads arguments that arrived as text nobody could read, before the call is announced; what cannot be read stays refused. */
export const repairTextStep: PipelineStep<RunningCall> = {
  stage: "bound_input",
  before: (call) => {
    const { given, refusal, entry } = call;
    if (refusal?.code !== "invalid_input" || entry === undefined || typeof given !== "string") return undefined;
    return repairText(call, given, refusal);
  },
};

async function repairText(call: RunningCall, text: string, refusal: ToolError): Promise<void> {
  const decoded = decodeTwice(text, call.options.inputFormat);
  if (decoded !== undefined)
    return take(call, decoded, { kind: "decoded_text", path: "", problem: "arrived as text in place of an object" });
  if (call.options.inputFormat !== "json_text") return undefined;
  const repaired = await repairJson(text);
  if (repaired === undefined) return undefined;
  take(call, repaired.value, { kind: repaired.kind, path: "", problem: refusal.message });
  // A fence is no guess: what stands in it is JSON.
  if (repaired.kind === "json_syntax" && call.refusal === undefined) call.guessed = refusal;
}

/** An object that was written as JSON once too often. */
function decodeTwice(text: string, format: "value" | "json_text" | undefined): unknown {
  const outer = format === "json_text" ? parse(text) : text;
  const inner = typeof outer === "string" && isPlainJson(outer) ? parse(outer) : undefined;
  return typeof inner === "object" ? inner : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Repaired arguments keep to the bounds of all others. */
function take(call: RunningCall, value: unknown, repair: ArgumentRepair): void {
  try {
    call.bounded = new BoundedInput(value);
  } catch {
    return;
  }
  call.refusal = undefined;
  call.repairs = [repair];
}
