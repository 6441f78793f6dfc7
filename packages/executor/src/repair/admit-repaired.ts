import { admitCall, type BoundedInput, type Tool, type ValidatedCall } from "@aiw/core";
import type { RunningCall } from "../call/running-call.ts";
import { decodeTexts } from "./decode-texts.ts";
import { tellRepairs } from "./repair-steps.ts";

/**
 * Checks arguments, once more with texts decoded where the schema wants another type; only what then fits is taken.
 * @throws ToolError of the first check, when nothing was repaired or the repair does not fit either.
 */
export function admitRepaired(
  call: RunningCall,
  tool: Tool,
  input: BoundedInput,
): ValidatedCall | Promise<ValidatedCall> {
  try {
    const admitted = admitCall(tool, input, call.entry?.options);
    return admitted instanceof Promise
      ? admitted.catch((error: unknown) => admitDecoded(call, tool, { input, error }))
      : admitted;
  } catch (error) {
    return admitDecoded(call, tool, { input, error });
  }
}

interface Refused {
  readonly input: BoundedInput;
  readonly error: unknown;
}

async function admitDecoded(call: RunningCall, tool: Tool, { input, error }: Refused): Promise<ValidatedCall> {
  const decoded = decodeTexts(input.value, error);
  if (decoded === undefined) throw error;
  let admitted: ValidatedCall;
  try {
    admitted = await admitCall(tool, decoded.input, call.entry?.options);
  } catch {
    throw error;
  }
  call.bounded = decoded.input;
  call.repairs = [...call.repairs, ...decoded.repairs];
  tellRepairs(call);
  return admitted;
}
