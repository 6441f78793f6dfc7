import type { JsonSchema } from "../../contract/json.ts";

/** Gives the number nearest to one that is within a schema's bounds, whole where it must be; undefined where none is. */
export function fitNumber(schema: JsonSchema, value: number): number | undefined {
  const step = stepOf(schema);
  const least = Math.max(boundOf(schema, "minimum", -1), boundOf(schema, "exclusiveMinimum", -1));
  const most = Math.min(boundOf(schema, "maximum", 1), boundOf(schema, "exclusiveMaximum", 1));
  if (isWithin(schema, value, { least, most }) && (step === 0 || isMultiple(value, step))) return value;
  const near = Math.min(Math.max(value, least), most);
  if (step === 0)
    return [near, (least + most) / 2, near - 1, near + 1].find((candidate) =>
      isWithin(schema, candidate, { least, most }),
    );
  const below = Math.floor(near / step) * step;
  const candidates = [Math.round(near / step) * step, below, below + step, below - step, below + 2 * step];
  return candidates.find((candidate) => isWithin(schema, candidate, { least, most }));
}

interface Bounds {
  readonly least: number;
  readonly most: number;
}

/** What a number must be a multiple of; 0 for nothing. */
function stepOf(schema: JsonSchema): number {
  const { multipleOf } = schema;
  const whole = schema.type === "integer" ? 1 : 0;
  if (typeof multipleOf !== "number" || multipleOf <= 0) return whole;
  return whole === 1 && isMultiple(1, multipleOf) ? 1 : multipleOf;
}

function boundOf(schema: JsonSchema, keyword: string, side: 1 | -1): number {
  const bound = schema[keyword];
  return typeof bound === "number" ? bound : side * Number.POSITIVE_INFINITY;
}

function isMultiple(value: number, step: number): boolean {
  return Math.abs(value / step - Math.round(value / step)) < 1e-9;
}

function isWithin(
  { type, exclusiveMinimum, exclusiveMaximum }: JsonSchema,
  value: number,
  { least, most }: Bounds,
): boolean {
  return (
    (type === "integer" ? Number.isInteger(value) : Number.isFinite(value)) &&
    value >= least &&
    value <= most &&
    value !== exclusiveMinimum &&
    value !== exclusiveMaximum
  );
}
