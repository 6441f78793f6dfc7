import type { JsonSchema } from "@aiw/core";
import { ts } from "@ts-morph/common";
import { documentMade } from "./document-made.ts";
import { datesBelow, REFUSED, type FoundDate, type MadeSchema } from "./made-schema.ts";
import { listMembers, type Member } from "./members.ts";
import { admitAnything } from "./primitive-schema.ts";
import { toTemplatePattern } from "./template-pattern.ts";
import { nameOf, placeBelow, refuse, remark, unwrapWritten, type Place, type Walk } from "./walk.ts";

/** A model is shown all of them. */
const MAX_MEMBERS = 200;

/** How a number is written as the name of a member. */
const NUMBER_NAME = "^(?:0|[1-9][0-9]*)$";

interface Parts {
  readonly schema: JsonSchema;
  readonly dates: readonly FoundDate[];
  readonly isRefused: boolean;
}

/** Makes the schema of an object: closed where a model writes it, open where a tool gives it. */
export function toObjectSchema(type: ts.Type, place: Place, walk: Walk): MadeSchema {
  const { checker, direction } = walk.context;
  const indexes = checker.getIndexInfosOfType(type).filter(isWritable);
  const all = checker.getPropertiesOfType(type);
  if (isEmptyLiteral(type, all.length + checker.getIndexInfosOfType(type).length))
    return admitAnything(place, walk, {});
  if (all.length > MAX_MEMBERS) return refuse(walk, place, tooLarge(place, walk, all.length));
  warnOfClass(type, place, walk);
  const members = makeMembers(listMembers(type, place, walk), place, walk);
  const index = makeIndexes(indexes, place, walk);
  if (members.isRefused || index.isRefused) return REFUSED;
  const isUnclear = isMuddled(members, index);
  if (isUnclear && direction === "input") return refuse(walk, place, muddled(place, walk));
  const closing = indexes.length === 0 && direction === "input" ? { additionalProperties: false } : {};
  // What a tool gives is open anyway.
  const { patternProperties: _, ...unpatterned } = index.schema;
  const open = isUnclear ? unpatterned : index.schema;
  const schema = { type: "object", ...members.schema, ...closing, ...open };
  return { schema, dates: [...members.dates, ...index.dates] };
}

/** A pattern that covers a member too: strict validators refuse it, and a pointer to its dates would lead to the member. */
function isMuddled(members: Parts, index: Parts): boolean {
  const names = Object.keys(members.schema.properties ?? {});
  const patterns = Object.keys((index.schema["patternProperties"] ?? {}) as object);
  if (patterns.length > 0 && index.dates.length > 0 && names.length > 0) return true;
  return patterns.some((pattern) => names.some((name) => new RegExp(pattern, "u").test(name)));
}

function muddled(place: Place, walk: Walk): Parameters<typeof refuse>[2] {
  return {
    code: "type_unsupported",
    message: `${nameOf(place, walk.context)} has members and an index signature of a pattern that may mean the same.`,
    fix: "Give the open names a member of their own, such as values: Record<string, T>.",
  };
}

/** Members named by symbols, and those that are never there (`Record<string, never>`), are none in JSON. */
function isWritable({ keyType, type }: ts.IndexInfo): boolean {
  return !(keyType.flags & ts.TypeFlags.ESSymbolLike) && !(type.flags & ts.TypeFlags.Never);
}

/** `{}` is any value but null; an empty interface is an object. */
function isEmptyLiteral({ symbol }: ts.Type, members: number): boolean {
  return members === 0 && (symbol === undefined || (symbol.flags & ts.SymbolFlags.TypeLiteral) !== 0);
}

function tooLarge(place: Place, walk: Walk, members: number): Parameters<typeof refuse>[2] {
  return {
    code: "type_too_large",
    message: `${nameOf(place, walk.context)} has ${members} members; a model is shown at most ${MAX_MEMBERS}.`,
    fix: "Write an interface of those that the function reads, or pick them: Pick<T, …>.",
  };
}

function warnOfClass({ symbol }: ts.Type, place: Place, walk: Walk): void {
  if (symbol === undefined || !(symbol.flags & ts.SymbolFlags.Class) || walk.context.direction === "output") return;
  remark(walk, place, {
    code: "class_as_data",
    severity: "warning",
    message: `${nameOf(place, walk.context)} is the class ${symbol.name}: the function is given a plain object without its methods.`,
    fix: `Write an interface of its public fields, and construct ${symbol.name} in the function.`,
  });
}

function makeMembers(members: readonly Member[], place: Place, walk: Walk): Parts {
  const properties: [string, JsonSchema][] = [];
  const required: string[] = [];
  const dates: FoundDate[] = [];
  let isRefused = false;
  for (const member of members) {
    const found = makeMember(member, place, walk);
    isRefused ||= found.isRefused === true;
    properties.push([member.name, found.schema]);
    if (!member.isOptional) required.push(member.name);
    dates.push(...datesBelow(member.name, found.dates));
  }
  const schema = {
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    ...(required.length > 0 && { required }),
  };
  return { schema, dates, isRefused };
}

function makeMember({ name, symbol, type, at, written }: Member, place: Place, walk: Walk): MadeSchema {
  const inside = placeBelow(place, name, { at, written });
  if (at !== undefined) walk.context.definitions.declared.push({ path: inside.path, node: at });
  const found = walk.make(type, inside);
  if (found.isRefused === true) return found;
  if (name === "*" && found.dates.length > 0) return refuse(walk, inside, starDate());
  return documentMade(found, walk.context.docs.describe(symbol), { place: inside, walk });
}

/** In a pointer to dates, `*` stands for every member. */
function starDate(): Parameters<typeof refuse>[2] {
  return {
    code: "date_ambiguous",
    message: "A Date in a member called * cannot be told from those of all other members.",
    fix: "Give the member another name, or write string with @format date-time.",
  };
}

function makeIndexes(indexes: readonly ts.IndexInfo[], place: Place, walk: Walk): Parts {
  const patterns: [string, JsonSchema][] = [];
  const dates: FoundDate[] = [];
  let rest: JsonSchema | boolean | undefined;
  let isRefused = false;
  for (const { keyType, type, declaration } of indexes) {
    const inside = placeBelow(place, "*", {
      at: declaration ?? place.at,
      written: declaration?.type ?? writtenValue(place, walk),
    });
    const found = walk.make(type, inside);
    isRefused ||= found.isRefused === true;
    dates.push(...datesBelow("*", found.dates));
    const pattern = keyType.flags & ts.TypeFlags.Number ? NUMBER_NAME : toTemplatePattern(keyType);
    if (keyType.flags & ts.TypeFlags.String || pattern === undefined) rest = found.schema;
    else patterns.push([pattern, found.schema]);
  }
  if (patterns.length > 0 && walk.context.direction === "input") rest ??= false;
  const schema = {
    ...(patterns.length > 0 && { patternProperties: Object.fromEntries(patterns) }),
    ...(rest !== undefined && { additionalProperties: isEmpty(rest) ? true : rest }),
  };
  return { schema, dates, isRefused };
}

function isEmpty(schema: JsonSchema | boolean): boolean {
  return typeof schema === "object" && Object.keys(schema).length === 0;
}

/** The second argument of `Record`. */
function writtenValue({ written }: Place, { context }: Walk): ts.TypeNode | undefined {
  const node = unwrapWritten(written, context.checker);
  if (node === undefined || !ts.isTypeReferenceNode(node) || node.typeName.getText() !== "Record") return undefined;
  return node.typeArguments?.[1];
}
