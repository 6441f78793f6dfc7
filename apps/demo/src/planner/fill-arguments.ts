import { canonicalText, isRecord, numberField, ownField, stringsOf } from "./json.ts";
import type { JsonRecord } from "./json.ts";
import type { OfferedTool } from "./offered-tool.ts";

/** A value for whichever declared parameter bears one of the names. */
export interface WantedArgument {
  names: readonly string[];
  value: unknown;
  /** Without a parameter for it the tool is of no use. */
  needed?: boolean;
}

/** Fits values to the parameters a tool declares; `undefined` when a needed or required one stays empty. */
export function fillArguments(tool: OfferedTool, wanted: readonly WantedArgument[]): JsonRecord | undefined {
  const filled = new Map<string, unknown>();
  for (const argument of wanted) {
    const placed = placeArgument(tool, argument, filled);
    if (placed !== undefined) filled.set(placed.name, placed.value);
    else if (argument.needed === true) return undefined;
  }
  return tool.required.every((name) => filled.has(name)) ? Object.fromEntries(filled) : undefined;
}

/** Gives the value in the form a parameter's schema accepts, or `undefined` when it cannot. */
export function fitValue(value: unknown, schema: JsonRecord): unknown {
  const branches = [ownField(schema, "anyOf"), ownField(schema, "oneOf")].find(Array.isArray);
  if (branches !== undefined) return firstFitting(value, branches);
  const allowed = ownField(schema, "enum");
  if (Array.isArray(allowed)) {
    return allowed.find((option) => canonicalText(option) === canonicalText(value));
  }
  const types = typesOf(schema);
  if (types.length === 0) return value;
  for (const type of types) {
    const fitted = fitType(value, type, schema);
    if (fitted !== undefined) return fitted;
  }
  return undefined;
}

/** The types a parameter declares, however they are written. */
export function typesOf(schema: JsonRecord): string[] {
  const declared = ownField(schema, "type");
  if (typeof declared === "string") return [declared];
  if (Array.isArray(declared)) return stringsOf(declared);
  const branches = [ownField(schema, "anyOf"), ownField(schema, "oneOf")].find(Array.isArray) ?? [];
  return branches.flatMap((branch: unknown) => {
    const type = ownField(branch, "type");
    return typeof type === "string" ? [type] : [];
  });
}

/** Compares parameter names without case, dashes and underscores. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z\d]/gu, "");
}

function placeArgument(
  tool: OfferedTool,
  { names, value }: WantedArgument,
  taken: ReadonlyMap<string, unknown>,
): { name: string; value: unknown } | undefined {
  for (const wantedName of names) {
    for (const [name, schema] of Object.entries(tool.properties)) {
      if (plainName(name) !== wantedName || taken.has(name)) continue;
      const fitted = fitValue(value, schema);
      if (fitted !== undefined) return { name, value: fitted };
    }
  }
  return undefined;
}

function firstFitting(value: unknown, branches: readonly unknown[]): unknown {
  for (const branch of branches) {
    const fitted = isRecord(branch) ? fitValue(value, branch) : undefined;
    if (fitted !== undefined) return fitted;
  }
  return undefined;
}

function fitType(value: unknown, type: string, schema: JsonRecord): unknown {
  switch (type) {
    case "string":
      return fitString(value, schema);
    case "number":
    case "integer":
      return fitNumber(value, type, schema);
    case "boolean":
      return typeof value === "boolean" ? value : undefined;
    case "array":
      return fitArray(value, schema);
    case "object":
      return isRecord(value) ? value : undefined;
    default:
      return undefined;
  }
}

function fitString(value: unknown, schema: JsonRecord): string | undefined {
  const single: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  if (typeof single !== "string") return undefined;
  const tooLong = single.length > (numberField(schema, "maxLength") ?? Number.POSITIVE_INFINITY);
  const tooShort = single.length < (numberField(schema, "minLength") ?? 0);
  return tooLong || tooShort ? undefined : single;
}

function fitNumber(value: unknown, type: string, schema: JsonRecord): number | undefined {
  if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
  if (type === "integer" && !Number.isInteger(value)) return undefined;
  if (value < (numberField(schema, "minimum") ?? value) || value > (numberField(schema, "maximum") ?? value))
    return undefined;
  if (value <= (numberField(schema, "exclusiveMinimum") ?? Number.NEGATIVE_INFINITY)) return undefined;
  return value >= (numberField(schema, "exclusiveMaximum") ?? Number.POSITIVE_INFINITY) ? undefined : value;
}

function fitArray(value: unknown, schema: JsonRecord): unknown[] | undefined {
  const items = ownField(schema, "items");
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  const fitted = isRecord(items) ? all.map((item) => fitValue(item, items)) : [...all];
  if (fitted.some((item) => item === undefined)) return undefined;
  if (fitted.length < (numberField(schema, "minItems") ?? 0)) return undefined;
  return fitted.slice(0, numberField(schema, "maxItems") ?? fitted.length);
}
