import type { JsonObject } from "../contract/json.ts";
import type { ParseIssue } from "../contract/tool.ts";
import type { ToolSpec } from "../contract/tool-spec.ts";
import type { ToolError } from "../errors/tool-error.ts";
import { formatExampleCall } from "../schema/example-call.ts";
import { cut } from "../schema/show-value.ts";
import { toPointer } from "../schema/json-pointer.ts";
import { typeOfJson } from "../schema/subschemas.ts";
import { toCallPath } from "./call-path.ts";
import { explainFailure } from "./explain-failure.ts";
import { formatCall } from "./format-call.ts";
import type { ExplainedIssue } from "./to-issues.ts";

/** Makes the error for what only the author's own schema refuses; it keeps the author's words. */
export function explainParseIssues(spec: ToolSpec, input: JsonObject, issues: readonly ParseIssue[]): ToolError {
  const example = spec.instructions?.examples?.[0]?.input;
  return explainFailure({
    code: "invalid_input",
    subject: "the arguments",
    issues: issues.map((issue) => toExplained(input, issue)).toSorted((a, b) => (a.issue.path < b.issue.path ? -1 : 1)),
    headLength: formatCall(spec, input).length + 2,
    // Only an author's own example is known to pass the author's own checks.
    suggestion: example && `Call it like this: ${formatExampleCall(spec, example)}`,
  });
}

function toExplained(input: JsonObject, { message, path = [] }: ParseIssue): ExplainedIssue {
  const segments = path.map((key) => (typeof key === "number" ? key : String(key)));
  const words = cut(message.replaceAll(/\s+/g, " ").trim(), 200).replace(/\.$/, "");
  return {
    segments,
    issue: {
      path: toPointer(segments),
      keyword: "custom",
      expected: words,
      received_type: receivedType(valueAt(input, segments)),
    },
    line: `${toCallPath(segments)}: ${words}.`,
  };
}

function receivedType(value: unknown): string {
  return value === undefined ? "missing" : typeOfJson(value);
}

/** The own member that a path leads to, if any. */
export function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const segment of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, segment)) return undefined;
    value = (value as { readonly [key: PropertyKey]: unknown })[segment];
  }
  return value;
}
