import type { ExtensionCall } from "../extend/extension.ts";
import { toRecordedValue, type RecordedValueOptions } from "./to-recorded-value.ts";

/**
 * The arguments of a call as records may keep them: bounded, secrets masked, hidden characters escaped; undefined for what
 * could not be read.
 */
export function toRecordedArguments(
  { arguments: given, spec }: Pick<ExtensionCall, "arguments" | "spec">,
  options: Omit<RecordedValueOptions, "schema"> = {},
): unknown {
  if (given === undefined) return undefined;
  return toRecordedValue(given, { ...options, ...(spec !== undefined && { schema: spec.inputSchema }) });
}
