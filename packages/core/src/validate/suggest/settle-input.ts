import type { Json, JsonObject } from "../../contract/json.ts";
import type { CompiledSchema } from "../../schema/compile-schema.ts";
import { fromPointer } from "../../schema/json-pointer.ts";
import type { Change } from "./change.ts";
import { exampleOf, type FitOptions } from "./fit-input.ts";

/** Arguments and how they differ from those given. */
export interface NearestInput {
  readonly input: JsonObject;
  readonly changes: readonly Change[];
}

/** How often the validator is asked. */
const MAX_ROUNDS = 12;

/** Leaves out, or shows by example, what only the validator refuses: patterns, formats, conditions. Undefined where it still refuses. */
export function settleInput(
  compiled: CompiledSchema,
  options: FitOptions,
  { input, changes }: NearestInput,
): NearestInput | undefined {
  let nearest: NearestInput = { input, changes };
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    // The validator may write defaults into what it is given.
    const [error] = compiled.errors(structuredClone(nearest.input), "first");
    if (error === undefined) return nearest;
    const [name, item] = fromPointer(error.instancePath);
    const params = error.params as { readonly [name: string]: unknown };
    const index = error.keyword === "uniqueItems" ? Math.max(Number(params["i"]), Number(params["j"])) : Number(item);
    const extra = params["additionalProperty"] ?? params["unevaluatedProperty"];
    const next =
      name !== undefined
        ? withoutValue(nearest, { options, name, index })
        : typeof extra === "string"
          ? without(nearest, extra)
          : withExample(nearest, options, params["missingProperty"]);
    if (next === undefined) return undefined;
    nearest = next;
  }
  return undefined;
}

interface RefusedMember {
  readonly options: FitOptions;
  readonly name: string;
  /** Of the item that is refused; not a number where the whole member is. */
  readonly index: number;
}

function withoutValue(nearest: NearestInput, { options, name, index }: RefusedMember): NearestInput | undefined {
  const value = nearest.input[name];
  if (Array.isArray(value) && value.length > 1 && Number.isInteger(index)) {
    const input = { ...nearest.input, [name]: value.filter((_item: Json, at) => at !== index) };
    return { input, changes: [...nearest.changes, { kind: "drop", path: [name, index] }] };
  }
  if (options.schema.required?.includes(name) !== true) return without(nearest, name);
  return isExample(nearest, name) ? undefined : withExample(nearest, options, name);
}

function without({ input, changes }: NearestInput, name: string): NearestInput | undefined {
  if (!Object.hasOwn(input, name)) return undefined;
  const { [name]: _dropped, ...rest } = input;
  return { input: rest, changes: [...changes, { kind: "drop", path: [name] }] };
}

function withExample({ input, changes }: NearestInput, options: FitOptions, name: unknown): NearestInput | undefined {
  if (typeof name !== "string") return undefined;
  const value = exampleOf(options, name);
  return { input: { ...input, [name]: value }, changes: [...changes, { kind: "example", path: [name], value }] };
}

function isExample({ changes }: NearestInput, name: string): boolean {
  return changes.some(({ kind, path }) => kind === "example" && path.length === 1 && path[0] === name);
}
