import type { JsonSchema } from "@aiw/core";
import { ts } from "@ts-morph/common";
import { toArraySchema, toTupleSchema } from "./array-schema.ts";
import { definedOnce } from "./defined-once.ts";
import { documentMade } from "./document-made.ts";
import { isArrayLike } from "./is-array-like.ts";
import { insteadOf, isDate, isPlatformDeclared } from "./known-types.ts";
import { isLiteral, toLiteralsSchema } from "./literal-schema.ts";
import { REFUSED, type MadeSchema } from "./made-schema.ts";
import { toObjectSchema } from "./object-schema.ts";
import { toPrimitiveSchema } from "./primitive-schema.ts";
import type { SchemaContext, SymbolDocs } from "./schema-context.ts";
import { DEFERRED, unbranded } from "./unbranded.ts";
import { toUnionSchema } from "./union-schema.ts";
import { aliasesAt, nameOf, refuse, remark, writtenType, type Place, type Remark, type Walk } from "./walk.ts";

/** Types around a type; what nests deeper was made by a machine or never ends. */
const MAX_AROUND = 40;

/** Instances of one generic around each other; more say that it grows. */
const MAX_SAME_AROUND = 6;

/** Parts of one side of one tool. */
const MAX_PARTS = 5000;

/**
 * Makes the JSON Schema (2020-12) of a type. Named types stand as provisional references until `closeSchema` has seen the whole.
 * Whether a value may be absent is its owner's business: `undefined` is not part of its schema.
 */
export function toSchema(type: ts.Type, at: ts.Node, context: SchemaContext): JsonSchema {
  const walk: Walk = { context, make: (part, place) => make(part, place, walk) };
  const path = context.path ?? [];
  const place = { at, written: writtenType(at), path, around: [] };
  context.definitions.starts.push(at);
  const found = walk.make(type, place);
  const { schema, dates } = context.own === undefined ? found : documentMade(found, context.own, { place, walk });
  for (const { steps } of dates) context.dates.push(toPointer([...path, ...steps]));
  return schema;
}

/** Lays what is documented elsewhere, such as by `@param options.city`, over a schema that was made: checked in the same way. */
export function laySchema(schema: JsonSchema, docs: SymbolDocs, { at, path, context }: LayingPlace): JsonSchema {
  const walk: Walk = { context, make: (part, place) => make(part, place, walk) };
  const { description = "" } = schema;
  const legend = [...context.definitions.legends].find(
    (one) => description === one || description.endsWith(`\n${one}`),
  );
  const found = { schema, dates: [], ...(legend !== undefined && { legend }) };
  return documentMade(found, docs, { place: { at, written: undefined, path, around: [] }, walk }).schema;
}

/** Where documentation stands, and what it speaks of. */
export interface LayingPlace {
  readonly at: ts.Node;
  /** From the root on. */
  readonly path: readonly string[];
  readonly context: SchemaContext;
}

/** JSON Pointer (RFC 6901). */
function toPointer(steps: readonly string[]): string {
  return steps.map((step) => `/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

function make(type: ts.Type, place: Place, walk: Walk): MadeSchema {
  const found = isTooMuch(type, place, walk) ? REFUSED : makeBare(type, place, walk);
  if (found.isRefused === true) return found;
  // The checker forgets the names of primitives and brands, and with them what their authors say of them.
  const isRemembered = (alias: ts.Symbol): boolean =>
    alias === type.aliasSymbol && !(type.flags & ts.TypeFlags.Intersection);
  const aliases = aliasesAt(place.written, walk.context.checker).filter(
    (alias) => !isRemembered(alias) && !isPlatformDeclared(alias),
  );
  return aliases.reduceRight(
    (current, alias) => documentMade(current, walk.context.docs.describe(alias), { place, walk }),
    found,
  );
}

/** A type without end has no other faults that are worth saying. */
function isTooMuch(type: ts.Type, place: Place, walk: Walk): boolean {
  const { parts } = walk.context.definitions;
  if (parts.isSpent) return true;
  parts.made += 1;
  const excess = findExcess(type, place, walk);
  if (excess === undefined) return false;
  parts.isSpent = true;
  remark(walk, place, excess);
  return true;
}

function findExcess(type: ts.Type, place: Place, { context }: Walk): Remark | undefined {
  const name = nameOf(place, context);
  const symbol = type.aliasSymbol ?? type.symbol;
  if (
    symbol !== undefined &&
    !isPlatformDeclared(symbol) &&
    place.around.filter((one) => one === symbol).length >= MAX_SAME_AROUND
  ) {
    return {
      code: "type_too_deep",
      message: `${name} grows without end: ${symbol.name} is given a new type at each level.`,
      fix: "Give the generic the same type at each level.",
    };
  }
  if (place.around.length >= MAX_AROUND) {
    const message = `${name} is more than ${MAX_AROUND} levels deep.`;
    return { code: "type_too_deep", message, fix: "Write a flatter type." };
  }
  if (context.definitions.parts.made <= MAX_PARTS) return undefined;
  const message = `The type has more than ${MAX_PARTS} parts at ${name}.`;
  return { code: "type_too_large", message, fix: "Write an interface of what the function reads." };
}

function makeBare(type: ts.Type, place: Place, walk: Walk): MadeSchema {
  const { flags } = type;
  if (flags & ts.TypeFlags.Union) return toUnionSchema(type as ts.UnionType, place, walk);
  if (flags & ts.TypeFlags.Intersection) return makeIntersection(type as ts.IntersectionType, place, walk);
  if (flags & ts.TypeFlags.Object) return makeObject(type, place, walk);
  if (isLiteral(type)) return toLiteralsSchema([type], walk.context);
  return flags & DEFERRED ? makeDeferred(type, place, walk) : toPrimitiveSchema(type, place, walk);
}

function makeIntersection(type: ts.IntersectionType, place: Place, walk: Walk): MadeSchema {
  const primitive = unbranded(type);
  return primitive === type ? makeObject(type, place, walk) : walk.make(primitive, { ...place, written: undefined });
}

function makeDeferred(type: ts.Type, place: Place, walk: Walk): MadeSchema {
  const { checker } = walk.context;
  if (isOpenKeyof(type, checker)) return refuseKeyof(type, place, walk);
  const bound = presetOf(type, checker) ?? checker.getBaseConstraintOfType(type);
  if (bound !== undefined && bound !== type && !(bound.flags & ts.TypeFlags.Unknown))
    return walk.make(bound, { ...place, written: undefined });
  return refuse(walk, place, {
    code: "type_unresolved",
    message: `${nameOf(place, walk.context)} is ${checker.typeToString(type).slice(0, 80)}, which whoever calls the function chooses.`,
    fix: `Write the type, or give the parameter a bound: <${type.symbol?.name ?? "T"} extends …>.`,
  });
}

/** `keyof T`, or a parameter with that bound: the checker widens both to every key there could be, symbols too. */
function isOpenKeyof(type: ts.Type, checker: ts.TypeChecker): boolean {
  const bound = boundOf(type, checker);
  if (!(bound.flags & ts.TypeFlags.Index) || presetOf(type, checker) !== undefined) return false;
  const keys = checker.getBaseConstraintOfType(bound);
  return keys?.isUnion() === true && keys.types.some(({ flags }) => (flags & ts.TypeFlags.ESSymbol) !== 0);
}

/** As it is written: the checker's own answer has no parameters left. */
function boundOf(type: ts.Type, checker: ts.TypeChecker): ts.Type {
  const written = type.symbol?.declarations?.find(ts.isTypeParameterDeclaration)?.constraint;
  return written !== undefined && type.flags & ts.TypeFlags.TypeParameter ? checker.getTypeFromTypeNode(written) : type;
}

function refuseKeyof(type: ts.Type, place: Place, walk: Walk): MadeSchema {
  const { checker } = walk.context;
  const keys = checker.typeToString(boundOf(type, checker)).slice(0, 80);
  return refuse(walk, place, {
    code: "type_unresolved",
    message: `${nameOf(place, walk.context)} is ${keys}: which keys there are is chosen by whoever calls the function.`,
    fix: 'Write the keys as a union of string literals ("name" | "size"), or keyof of a type that is no parameter.',
  });
}

/** What a parameter of a generic is when nobody chooses. */
function presetOf(type: ts.Type, checker: ts.TypeChecker): ts.Type | undefined {
  return type.flags & ts.TypeFlags.TypeParameter ? checker.getDefaultFromTypeParameter(type) : undefined;
}

function makeObject(type: ts.Type, place: Place, walk: Walk): MadeSchema {
  const { checker } = walk.context;
  if (isDate(type)) return { schema: { type: "string", format: "date-time" }, dates: [{ steps: [], node: place.at }] };
  const inside = {
    ...place,
    around: [...place.around, type.aliasSymbol ?? type.symbol].filter((symbol) => symbol !== undefined),
  };
  if (checker.isTupleType(type))
    return definedOnce(type, inside, { walk, build: () => toTupleSchema(type as ts.TupleTypeReference, inside, walk) });
  if (checker.isArrayType(type))
    return definedOnce(type, inside, { walk, build: () => toArraySchema(type, inside, walk) });
  const instead = insteadOf(type, checker);
  if (instead !== undefined) {
    return refuse(walk, place, {
      code: "type_unsupported",
      message: `${nameOf(place, walk.context)} is ${show(type, checker)}, which JSON does not have.`,
      fix: `${instead.charAt(0).toUpperCase()}${instead.slice(1)}.`,
    });
  }
  if (isArrayLike(type, checker))
    return definedOnce(type, inside, { walk, build: () => toArraySchema(type, inside, walk) });
  if (isFunction(type, checker)) {
    return refuse(walk, place, {
      code: "type_unsupported",
      message: `${nameOf(place, walk.context)} is a function (${show(type, checker)}), which JSON does not have.`,
      fix: "Write data that says what to do, such as a union of string literals.",
    });
  }
  return definedOnce(type, inside, { walk, build: () => toObjectSchema(type, inside, walk) });
}

function show(type: ts.Type, checker: ts.TypeChecker): string {
  return checker.typeToString(type).slice(0, 80);
}

function isFunction(type: ts.Type, checker: ts.TypeChecker): boolean {
  return (
    checker.getSignaturesOfType(type, ts.SignatureKind.Call).length > 0 ||
    checker.getSignaturesOfType(type, ts.SignatureKind.Construct).length > 0
  );
}
