import type { JsonSchema } from "@aiw/core";
import { ts } from "@ts-morph/common";
import { datesBelow, made, REFUSED, type FoundDate, type MadeSchema } from "./made-schema.ts";
import { addNull, admitsUndefined } from "./nullable.ts";
import { nameOf, placeBelow, refuse, unwrapWritten, type Place, type Walk } from "./walk.ts";

/** Each optional item doubles nothing, but adds a branch. */
const MAX_OPTIONAL = 8;

/** Makes the schema of a list of like items. */
export function toArraySchema(type: ts.Type, place: Place, walk: Walk): MadeSchema {
  const { checker } = walk.context;
  const item = checker.getIndexTypeOfType(type, ts.IndexKind.Number);
  if (item === undefined) return made({ type: "array" });
  if (item.flags & ts.TypeFlags.Never) return made({ type: "array", maxItems: 0 });
  const { schema, dates, isRefused } = makeItem(
    item,
    placeBelow(place, "*", { written: writtenItem(place, walk) }),
    walk,
  );
  return { schema: { type: "array", items: schema }, dates: datesBelow("*", dates), ...(isRefused && { isRefused }) };
}

/** JSON writes null where a list has undefined, and reads it so. */
function makeItem(type: ts.Type, place: Place, walk: Walk): MadeSchema {
  if (!admitsUndefined(type)) return walk.make(type, place);
  if (walk.context.direction === "input") {
    return refuse(walk, place, {
      code: "type_unsupported",
      message: `${nameOf(place, walk.context)} may be undefined, which a list in JSON cannot hold.`,
      fix: "Write null instead of undefined.",
    });
  }
  if (type.flags & ts.TypeFlags.VoidLike) return made({ type: "null" });
  const item = walk.make(type, place);
  return { ...item, schema: addNull(item.schema) };
}

function writtenItem({ written }: Place, { context }: Walk): ts.TypeNode | undefined {
  const node = unwrapWritten(written, context.checker);
  if (node === undefined) return undefined;
  if (ts.isArrayTypeNode(node)) return node.elementType;
  return ts.isTypeReferenceNode(node) && /^(?:Readonly)?Array$/.test(node.typeName.getText())
    ? node.typeArguments?.[0]
    : undefined;
}

interface TupleItem {
  readonly type: ts.Type;
  readonly flags: ts.ElementFlags;
  readonly schema: JsonSchema;
  readonly dates: readonly FoundDate[];
}

/**
 * Makes the schema of a tuple. One with optional items is a choice of whole tuples, and one with a rest a list whose items are
 * all alike: validators in strict mode take no tuple of open length.
 */
export function toTupleSchema(type: ts.TupleTypeReference, place: Place, walk: Walk): MadeSchema {
  const { elementFlags, minLength } = type.target;
  const found = walk.context.checker
    .getTypeArguments(type)
    .map((item, index) => makeTupleItem(type, { item, index }, { place, walk }));
  if (found.some(({ made: { isRefused } }) => isRefused)) return REFUSED;
  const items = found.map(({ item, made: { schema, dates } }, index) => ({
    type: item,
    flags: elementFlags[index] ?? ts.ElementFlags.Required,
    schema,
    dates,
  }));
  if (items.some(({ flags }) => flags & ts.ElementFlags.Variable)) return withRest(items, { place, walk, minLength });
  const dates = items.flatMap(({ dates: inside }, index) => datesBelow(String(index), inside));
  if (items.length - minLength > MAX_OPTIONAL) return refuse(walk, place, openTuple(place, walk));
  const schemas = items.map(({ schema }) => schema);
  const choices = Array.from({ length: items.length - minLength + 1 }, (_, more) =>
    closedTuple(schemas.slice(0, minLength + more)),
  );
  const [only] = choices;
  return { schema: choices.length === 1 && only !== undefined ? only : { anyOf: choices }, dates };
}

function makeTupleItem(
  type: ts.TupleTypeReference,
  { item, index }: { readonly item: ts.Type; readonly index: number },
  { place, walk }: { readonly place: Place; readonly walk: Walk },
): { readonly item: ts.Type; readonly made: MadeSchema } {
  const { labeledElementDeclarations, elementFlags } = type.target;
  const written = writtenTupleItem(place, walk, index);
  const label = labeledElementDeclarations?.[index];
  const inside = placeBelow(place, String(index), { written });
  const isOptional = ((elementFlags[index] ?? 0) & ts.ElementFlags.Optional) !== 0;
  const found = isOptional ? walk.make(item, inside) : makeItem(item, inside, walk);
  const isNamed = label !== undefined && ts.isIdentifier(label.name) && found.schema.description === undefined;
  return { item, made: isNamed ? { ...found, schema: { ...found.schema, description: label.name.getText() } } : found };
}

function writtenTupleItem({ written }: Place, { context }: Walk, index: number): ts.TypeNode | undefined {
  const node = unwrapWritten(written, context.checker);
  const element = node !== undefined && ts.isTupleTypeNode(node) ? node.elements[index] : undefined;
  if (element === undefined) return undefined;
  if (ts.isNamedTupleMember(element) || ts.isOptionalTypeNode(element) || ts.isRestTypeNode(element)) {
    // What is spread has its items elsewhere.
    return ts.isRestTypeNode(element) || (ts.isNamedTupleMember(element) && element.dotDotDotToken)
      ? undefined
      : element.type;
  }
  return element;
}

function closedTuple(items: readonly JsonSchema[]): JsonSchema {
  const { length } = items;
  if (length === 0) return { type: "array", maxItems: 0 };
  return { type: "array", prefixItems: items, items: false, minItems: length, maxItems: length };
}

function withRest(
  items: readonly TupleItem[],
  { place, walk, minLength }: { readonly place: Place; readonly walk: Walk; readonly minLength: number },
): MadeSchema {
  const texts = new Map(items.map(({ schema: { description: _, ...schema } }) => [JSON.stringify(schema), schema]));
  const [schema] = texts.values();
  if (schema === undefined || texts.size !== 1) return refuse(walk, place, openTuple(place, walk));
  const [first] = items;
  const least = minLength > 0 ? { minItems: minLength } : {};
  return { schema: { type: "array", items: schema, ...least }, dates: datesBelow("*", first?.dates ?? []) };
}

function openTuple(place: Place, walk: Walk): Parameters<typeof refuse>[2] {
  return {
    code: "type_unsupported",
    message: `${nameOf(place, walk.context)} is a tuple of open length with unlike items, which models and strict validators do not take.`,
    fix: "Write an object with a named member for each item and a list for the rest.",
  };
}
