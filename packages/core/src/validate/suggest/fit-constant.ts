import type { Json, JsonObject, JsonSchema } from "../../contract/json.ts";
import { isEqualJson } from "../../schema/is-equal-json.ts";
import { asJson } from "../../schema/subschemas.ts";
import { nameLikeness } from "./name-likeness.ts";

/** The values a schema lists by `const` or `enum`; undefined where it lists none. */
export function constantsOf(schema: JsonSchema): readonly Json[] | undefined {
  if (schema.const !== undefined) return [asJson(schema.const)];
  return Array.isArray(schema.enum) ? schema.enum.map(asJson) : undefined;
}

/** Gives the one listed value that is meant: itself, its text, or the name that alone is nearest; undefined for none. */
export function fitConstant(constants: readonly Json[], value: Json): Json | undefined {
  const same = constants.find((constant) => isEqualJson(constant, value));
  if (same !== undefined || typeof value === "object") return same;
  const folded = String(value).toLowerCase();
  return (
    onlyOne(constants, (constant) => String(constant).toLowerCase() === folded) ??
    (typeof value === "string" ? nearest(constants, value) : undefined)
  );
}

function nearest(constants: readonly Json[], text: string): Json | undefined {
  const names = constants.filter((constant) => typeof constant === "string");
  const likenesses = new Map(names.map((name) => [name, nameLikeness(text, name)]));
  for (const likeness of [5, 4, 3]) {
    const found = onlyOne(names, (name) => likenesses.get(String(name)) === likeness);
    if (found !== undefined) return found;
  }
  return onlyOne(names, (name) => isBeginning(text.toLowerCase(), String(name).toLowerCase()));
}

function onlyOne(
  constants: readonly Json[],
  test: (constant: string | number | boolean | null) => boolean,
): Json | undefined {
  const found = constants.filter((constant) => !isContainer(constant) && test(constant));
  return found.length === 1 ? found[0] : undefined;
}

function isContainer(value: Json): value is JsonObject | readonly Json[] {
  return typeof value === "object" && value !== null;
}

/** One is how the other begins. */
function isBeginning(one: string, other: string): boolean {
  return one !== "" && other !== "" && (one.startsWith(other) || other.startsWith(one));
}
