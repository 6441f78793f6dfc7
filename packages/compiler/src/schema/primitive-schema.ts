import type { JsonSchema } from "@aiw/core";
import { ts } from "@ts-morph/common";
import { made, type MadeSchema } from "./made-schema.ts";
import { toTemplatePattern } from "./template-pattern.ts";
import { nameOf, refuse, remark, type Place, type Remark, type Walk } from "./walk.ts";

const SIMPLE: readonly (readonly [flags: ts.TypeFlags, schema: JsonSchema])[] = [
  [ts.TypeFlags.String, { type: "string" }],
  [ts.TypeFlags.Number, { type: "number" }],
  [ts.TypeFlags.Boolean, { type: "boolean" }],
  [ts.TypeFlags.Null, { type: "null" }],
];

/** Kinds of values that JSON has not, and what to write instead. */
const REFUSALS: readonly (readonly [flags: ts.TypeFlags, is: string, fix: string])[] = [
  [
    ts.TypeFlags.BigIntLike,
    "a bigint",
    "Write string with @pattern ^-?[0-9]+$ and convert it with BigInt(), or number.",
  ],
  [ts.TypeFlags.ESSymbolLike, "a symbol", "Write string, or a union of string literals."],
];

/** Makes the schema of what is neither an object nor made of other types. */
export function toPrimitiveSchema(type: ts.Type, place: Place, walk: Walk): MadeSchema {
  const { flags } = type;
  const simple = SIMPLE.find(([simpleFlags]) => (flags & simpleFlags) !== 0);
  if (simple !== undefined) return made(simple[1]);
  if (flags & (ts.TypeFlags.TemplateLiteral | ts.TypeFlags.StringMapping)) return made(toTemplateSchema(type));
  if (flags & ts.TypeFlags.NonPrimitive) return admitAnything(place, walk, { type: "object" });
  if (flags & ts.TypeFlags.Enum) return made({ type: "number" });
  if (flags & ts.TypeFlags.Any && isUnresolved(type)) return refuse(walk, place, unresolved(place, walk));
  if (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return admitAnything(place, walk, {});
  return refuseValue(type, place, walk);
}

function toTemplateSchema(type: ts.Type): JsonSchema {
  const pattern = toTemplatePattern(type);
  return pattern === undefined ? { type: "string" } : { type: "string", pattern };
}

/** Writes a schema that says little, and tells the author. */
export function admitAnything(place: Place, walk: Walk, schema: JsonSchema): MadeSchema {
  if (walk.context.direction === "input") {
    remark(walk, place, {
      code: "type_unknown",
      severity: "warning",
      message: `${nameOf(place, walk.context)} admits any ${schema.type ?? "value"}, so that a model learns nothing of what to write.`,
      fix: "Write the type of what the function reads; unions and Record<string, T> are fine.",
    });
  }
  return made(schema);
}

/** The checker gives `any` for what it could not find; only its internal name tells. */
function isUnresolved(type: ts.Type): boolean {
  return (type as { readonly intrinsicName?: string }).intrinsicName === "error";
}

function unresolved(place: Place, walk: Walk): Remark {
  const written = place.written === undefined ? "its type" : `the type ${place.written.getText().slice(0, 80)}`;
  return {
    code: "type_unresolved",
    message: `${nameOf(place, walk.context)}: ${written} cannot be resolved.`,
    fix: "Import it, install the package that declares it, or correct its name.",
  };
}

function refuseValue(type: ts.Type, place: Place, walk: Walk): MadeSchema {
  const name = nameOf(place, walk.context);
  if (type.flags & ts.TypeFlags.Never) {
    return refuse(walk, place, {
      code: "type_never",
      message: `${name} is never: no value is admitted, so that no call could be made.`,
      fix: "Write the type that is meant; an intersection of types that exclude each other gives never.",
    });
  }
  if (type.flags & ts.TypeFlags.VoidLike) {
    return refuse(walk, place, {
      code: "type_unsupported",
      message: `${name} is undefined only, which JSON has not.`,
      fix: "Write null, or leave it out.",
    });
  }
  const [, is, fix] = REFUSALS.find(([flags]) => (type.flags & flags) !== 0) ?? [
    0,
    "of a kind",
    "Write data that JSON has.",
  ];
  return refuse(walk, place, { code: "type_unsupported", message: `${name} is ${is}, which JSON has not.`, fix });
}
