import type { JsonSchema } from "@aiw/core";
import { ts } from "@ts-morph/common";
import { made, type MadeSchema } from "./made-schema.ts";
import type { SchemaContext } from "./schema-context.ts";

/** A longer legend is cut: it stands in every definition that a model is shown. */
const MAX_LEGEND = 1000;

/** Makes the schema of a choice of literals; members of enums bring what they mean. */
export function toLiteralsSchema(types: readonly ts.Type[], context: SchemaContext): MadeSchema {
  const schema = sayOneOf(types.map(literalValue));
  const legend = toLegend(types, context);
  if (legend === undefined) return made(schema);
  context.definitions.legends.add(legend);
  return { schema: { ...schema, description: legend }, dates: [], legend };
}

/** A literal of a kind that JSON has. */
export function isLiteral(type: ts.Type): boolean {
  return (type.flags & (ts.TypeFlags.StringLiteral | ts.TypeFlags.NumberLiteral | ts.TypeFlags.BooleanLiteral)) !== 0;
}

/** The value of such a literal. */
export function literalValue(type: ts.Type): string | number | boolean {
  if (type.isStringLiteral() || type.isNumberLiteral()) return type.value;
  return (type as { readonly intrinsicName?: string }).intrinsicName === "true";
}

/** The type of the values is named where they have one in common. */
function sayOneOf(values: readonly (string | number | boolean)[]): JsonSchema {
  const [type, ...others] = new Set(values.map((value) => typeof value));
  const choice = values.length === 1 ? { const: values[0] } : { enum: values };
  return type !== undefined && others.length === 0 ? { type, ...choice } : choice;
}

/** What bare values of an enum mean (`0 = Low; 1 = High: wakes somebody`); undefined when they say it themselves. */
function toLegend(types: readonly ts.Type[], { docs }: SchemaContext): string | undefined {
  const said = types
    .filter(({ flags }) => flags & ts.TypeFlags.EnumLiteral)
    .flatMap((type) => {
      const value = String(literalValue(type));
      const { description } = docs.describe(type.symbol);
      const isPlain = toPlain(type.symbol.name) === toPlain(value);
      if (isPlain && description === undefined) return [];
      return [
        `${value}${isPlain ? "" : ` = ${type.symbol.name}`}${description === undefined ? "" : `: ${description}`}`,
      ];
    });
  const legend = said.join("; ");
  if (legend === "") return undefined;
  return legend.length > MAX_LEGEND ? `${legend.slice(0, MAX_LEGEND)}…` : legend;
}

/** `IN_PROGRESS`, `InProgress` and `in-progress` say the same. */
function toPlain(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9]/g, "").toLowerCase();
}
