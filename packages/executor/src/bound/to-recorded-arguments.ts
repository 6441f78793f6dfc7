import { escapeHiddenText } from "@aiw/core";
import type { ExtensionCall } from "../extend/extension.ts";
import { findMarkedSecrets } from "./find-marked-secrets.ts";
import { findSecrets, marksSecrets, mayHoldSecrets } from "./mask-secrets.ts";
import { DEFAULT_RECORDED_CHARACTERS, toRecordedValue, type RecordedValueOptions } from "./to-recorded-value.ts";

/** What JSON writes for characters that nobody sees. */
const CONTROL_ESCAPE = /\\[bfu]/;

/**
 * The arguments of a call as records may keep them: bounded, secrets masked, hidden characters escaped; undefined for what
 * could not be read.
 */
export function toRecordedArguments(
  { arguments: given, spec }: Pick<ExtensionCall, "arguments" | "spec">,
  options: Omit<RecordedValueOptions, "schema"> = {},
): unknown {
  if (given === undefined) return undefined;
  const schema = spec?.inputSchema;
  const { known = [], characters = DEFAULT_RECORDED_CHARACTERS } = options;
  const isMarked = schema !== undefined && marksSecrets(schema);
  if (isMarked || known.length > 0)
    return toRecordedValue(given, { ...options, ...(schema !== undefined && { schema }) });
  // Most arguments hold nothing to mask, to escape or to cut, which their JSON tells at once.
  const json = JSON.stringify(given);
  const isHarmless = json.length <= characters && !mayHide(json) && !mayHoldSecrets(json);
  return isHarmless ? JSON.parse(json) : toRecordedValue(given, { characters });
}

function mayHide(json: string): boolean {
  return CONTROL_ESCAPE.test(json) || escapeHiddenText(json) !== json;
}

/** The secrets among the arguments of a call, by the names of fields and the marks of the schema. */
export function findRecordedSecrets({ arguments: given, spec }: Pick<ExtensionCall, "arguments" | "spec">): string[] {
  if (given === undefined) return [];
  const marked = spec === undefined ? [] : findMarkedSecrets(given, spec.inputSchema);
  return [...new Set([...findSecrets(given).texts, ...marked])];
}
