import type { JsonObject } from "../contract/json.ts";
import type { ToolSpec } from "../contract/tool-spec.ts";
import { resolveSchema, type CompiledSchema } from "../schema/compile-schema.ts";
import { copyJson } from "./copy-json.ts";
import { explainFailure } from "./explain-failure.ts";
import { formatCall } from "./format-call.ts";
import { toIssues } from "./to-issues.ts";

/** Values above which only the first error is looked for (SEC-VAL-3). */
const MAX_EXPLAINED_NODES = 1000;

/** Settings of one check. */
export interface ValidateInputOptions {
  /** Fills the defaults of a raw schema into the arguments returned. */
  readonly fillDefaults: boolean;
  /** Parameter names whose values no message shows, beside those the schema marks. */
  readonly secretNames?: readonly string[];
}

/**
 * Checks bounded arguments against a tool's schema and returns them; with defaults, on a copy.
 * @throws ToolError `invalid_input` naming every wrong path, or `schema_invalid`.
 */
export async function validateInput(
  spec: ToolSpec,
  input: JsonObject,
  options: ValidateInputOptions,
): Promise<JsonObject> {
  return checkInput(spec, input, options);
}

/**
 * The same, at once for a schema that has been compiled before and arguments that pass.
 * @throws ToolError `invalid_input` naming every wrong path, or `schema_invalid`.
 */
export function checkInput(
  spec: ToolSpec,
  input: JsonObject,
  options: ValidateInputOptions,
): JsonObject | Promise<JsonObject> {
  const compiled = resolveSchema(spec.inputSchema, options);
  if (!(compiled instanceof Promise)) return checkWith(compiled, { spec, input, options });
  return compiled.then((late) => checkWith(late, { spec, input, options }));
}

interface AskedCheck {
  readonly spec: ToolSpec;
  readonly input: JsonObject;
  readonly options: ValidateInputOptions;
}

function checkWith(compiled: CompiledSchema, { spec, input, options }: AskedCheck): JsonObject | Promise<never> {
  const value = compiled.fillsDefaults ? copyJson(input) : input;
  return compiled.check(value) ? value : refuseInput(spec, { compiled, value, input }, options);
}

interface RefusedInput {
  readonly compiled: CompiledSchema;
  /** With the defaults the check filled in. */
  readonly value: JsonObject;
  /** As the model sent it. */
  readonly input: JsonObject;
}

/** What makes suggestions is loaded when it is first needed. */
async function refuseInput(
  spec: ToolSpec,
  { compiled, value, input }: RefusedInput,
  { secretNames = [] }: ValidateInputOptions,
): Promise<never> {
  const { suggestCall } = await import("./suggest/suggest-call.ts");
  const errors = compiled.errors(value, hasMoreNodes(value, MAX_EXPLAINED_NODES) ? "first" : "all");
  const refused = { schema: compiled.schema, value, root: "arguments", showReceived: true, secretNames };
  throw explainFailure({
    code: "invalid_input",
    subject: "the arguments",
    issues: toIssues(refused, errors),
    headLength: formatCall(spec, input, { secretNames }).length + 2,
    suggestion: suggestCall(spec, compiled, { input, secretNames }),
  });
}

function hasMoreNodes(value: unknown, limit: number): boolean {
  const pending: unknown[] = [value];
  let nodes = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    nodes += 1;
    if (nodes + pending.length > limit) return true;
    if (typeof next === "object" && next !== null) for (const member of Object.values(next)) pending.push(member);
  }
  return false;
}
