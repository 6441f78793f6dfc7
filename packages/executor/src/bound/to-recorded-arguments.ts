import type { ExtensionCall } from "../extend/extension.ts";
import { findMarkedSecrets } from "./find-marked-secrets.ts";
import { findSecrets } from "./mask-secrets.ts";
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

/** The secrets among the arguments of a call, by the names of fields and the marks of the schema. */
export function findRecordedSecrets({ arguments: given, spec }: Pick<ExtensionCall, "arguments" | "spec">): string[] {
  if (given === undefined) return [];
  const marked = spec === undefined ? [] : findMarkedSecrets(given, spec.inputSchema);
  return [...new Set([...findSecrets(given).texts, ...marked])];
}
