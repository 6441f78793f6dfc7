import { toPointer } from "../../schema/json-pointer.ts";
import type { ToolSpec } from "../../contract/tool-spec.ts";
import { quote, toShownText } from "../../register/create-finding.ts";
import { toCanonicalJson } from "../../schema/canonical-json.ts";

/** Differences a message names. */
const MAX_NAMED = 3;

/** Says how two definitions differ; equal canonical JSON, and so equal hash, is no difference. */
export function compareDefinitions(listed: ToolSpec, loaded: ToolSpec): string | undefined {
  if (toCanonicalJson(listed) === toCanonicalJson(loaded)) return undefined;
  const differences = listDifferences(listed, loaded, "");
  const named = differences
    .slice(0, MAX_NAMED)
    .map(({ pointer, from, to }) => `${toShownText(pointer || "/")} is ${quote(to)}, was listed as ${quote(from)}`);
  const more = differences.length > MAX_NAMED ? `, and ${differences.length - MAX_NAMED} more` : "";
  return named.join("; ") + more;
}

interface Difference {
  readonly pointer: string;
  readonly from: unknown;
  readonly to: unknown;
}

function listDifferences(from: unknown, to: unknown, pointer: string): Difference[] {
  if (!isContainer(from) || !isContainer(to) || Array.isArray(from) !== Array.isArray(to)) {
    return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ pointer, from, to }];
  }
  const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])].toSorted();
  return keys.flatMap((key) => listDifferences(member(from, key), member(to, key), `${pointer}${toPointer([key])}`));
}

function member(container: object, key: string): unknown {
  return Object.hasOwn(container, key) ? (container as Readonly<Record<string, unknown>>)[key] : undefined;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
