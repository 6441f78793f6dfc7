import type { JsonSchema } from "../contract/json.ts";
import { toCanonicalJson } from "../schema/canonical-json.ts";
import { mergeSchemas } from "../schema/merge-schemas.ts";
import { dereference, isSchemaObject, type Subschema } from "../schema/subschemas.ts";
import { logLoss, type LossLog } from "./loss-log.ts";

const MAX_LEVELS = 8;

/** Keywords at the root that providers refuse for every tool of the request. */
const REFUSED = ["enum", "const", "not"];

/** Writes a root without combinators: the members of all branches, of which those that all require are required. */
export function flattenRoot(root: JsonSchema, log: LossLog): JsonSchema {
  const flat = flatten(root, root, { log, level: 0 });
  const kept = Object.entries(flat).filter(([keyword, value]) => {
    if (REFUSED.includes(keyword)) logLoss(log, [], { keyword, value });
    return !REFUSED.includes(keyword) && keyword !== "type";
  });
  const { properties = {}, required = [], ...rest } = Object.fromEntries(kept) as JsonSchema;
  return { type: "object", properties, required: required.filter((name) => typeof name === "string"), ...rest };
}

interface Flattening {
  readonly log: LossLog;
  readonly level: number;
}

function flatten(root: JsonSchema, schema: JsonSchema, { log, level }: Flattening): JsonSchema {
  if (level > MAX_LEVELS) return { type: "object" };
  const { $ref: reference, allOf, anyOf, oneOf, ...own } = schema;
  let flat: JsonSchema = own;
  const parts = [...(typeof reference === "string" ? [{ $ref: reference }] : []), ...listOf(allOf)];
  for (const part of parts) flat = foldIn(root, flat, { part, log, level });
  for (const [keyword, branches] of [
    ["anyOf", listOf(anyOf)],
    ["oneOf", listOf(oneOf)],
  ] as const) {
    if (branches.length > 0) flat = unite(root, flat, { keyword, branches, log, level });
  }
  return flat;
}

function listOf(value: unknown): readonly Subschema[] {
  return Array.isArray(value) ? (value as Subschema[]) : [];
}

interface Part extends Flattening {
  readonly part: Subschema;
}

/** Every part holds, so all it requires is required; what does not merge is said in words. */
function foldIn(root: JsonSchema, flat: JsonSchema, { part, log, level }: Part): JsonSchema {
  const target = dereference(root, part);
  if (!isSchemaObject(target)) return flat;
  const { $defs: _defs, definitions: _definitions, ...below } = flatten(root, target, { log, level: level + 1 });
  const merged = mergeSchemas(flat, below);
  if (merged !== undefined) return merged;
  logLoss(log, [], { keyword: "allOf", value: part });
  return {
    ...flat,
    properties: { ...below.properties, ...flat.properties },
    required: [...new Set([...(flat.required ?? []), ...(below.required ?? [])])],
  };
}

interface Branches extends Flattening {
  readonly keyword: "anyOf" | "oneOf";
  readonly branches: readonly Subschema[];
}

function unite(root: JsonSchema, flat: JsonSchema, { keyword, branches, log, level }: Branches): JsonSchema {
  const objects = branches
    .map((branch) => dereference(root, branch))
    .filter((branch) => isSchemaObject(branch))
    .map((branch) => flatten(root, branch, { log, level: level + 1 }));
  const own = Object.keys(flat.properties ?? {});
  const common = (objects[0]?.required ?? []).filter((name) =>
    objects.every(({ required = [] }) => required.includes(name)),
  );
  logLoss(log, [], { keyword, value: branches, ...choiceOf(keyword, objects, [...common, ...(flat.required ?? [])]) });
  // Beside a closed list of its own the branches can only narrow, never add.
  const added =
    flat.additionalProperties === false
      ? []
      : objects.flatMap(({ properties = {} }) => Object.entries(properties)).filter(([name]) => !own.includes(name));
  const closed =
    flat.additionalProperties === undefined &&
    objects.length > 0 &&
    objects.every(({ additionalProperties }) => additionalProperties === false);
  return {
    ...flat,
    properties: { ...flat.properties, ...uniteMembers(added) },
    required: [...new Set([...(flat.required ?? []), ...common])],
    ...(closed && { additionalProperties: false }),
  };
}

function uniteMembers(members: readonly (readonly [string, Subschema])[]): { readonly [name: string]: Subschema } {
  const united = Map.groupBy(members, ([name]) => name);
  return Object.fromEntries(
    [...united].map(([name, alternatives]) => [name, uniteAlternatives(alternatives.map(([, schema]) => schema))]),
  );
}

function uniteAlternatives(schemas: readonly Subschema[]): Subschema {
  const distinct = [...new Map(schemas.map((schema) => [toCanonicalJson(schema), schema])).values()];
  const [only] = distinct;
  return distinct.length === 1 && only !== undefined ? only : { anyOf: distinct };
}

/** Branches that differ in what they require are a choice between names; others are said as they are. */
function choiceOf(
  keyword: "anyOf" | "oneOf",
  branches: readonly JsonSchema[],
  common: readonly string[],
): { readonly words?: string } {
  const groups = branches.map(({ required = [] }) => required.filter((name) => !common.includes(name)).join(" and "));
  if (groups.length < 2 || groups.includes("") || new Set(groups).size < groups.length) return {};
  return { words: `give ${keyword === "oneOf" ? "exactly" : "at least"} one of: ${groups.join(", ")}` };
}
