import type { JsonSchema } from "@aiw/core";
import { ts } from "@ts-morph/common";
import { definedOnce } from "./defined-once.ts";
import { isLiteral, literalValue, toLiteralsSchema } from "./literal-schema.ts";
import { made, REFUSED, type FoundDate, type MadeSchema } from "./made-schema.ts";
import { mayHoldText } from "./may-hold-text.ts";
import { addNull } from "./nullable.ts";
import { nameOf, refuse, remark, type Place, type Walk } from "./walk.ts";
import { unbranded } from "./unbranded.ts";
import { inWrittenOrder, type UnionMember } from "./written-order.ts";

/** Literals that a model is shown. */
const MAX_LITERALS = 500;

/** Other members. */
const MAX_BRANCHES = 50;

/** Makes the schema of a union: one `enum` of its literals, and a branch for each other member. */
export function toUnionSchema(type: ts.UnionType, place: Place, walk: Walk): MadeSchema {
  if (type.flags & ts.TypeFlags.Boolean) return made({ type: "boolean" });
  const { checker } = walk.context;
  const members = withWholeBoolean(inWrittenOrder(type, place.written, checker), checker);
  const [only] = members;
  if (members.length === 1 && only !== undefined) return walk.make(only.type, { ...place, written: only.written });
  return definedOnce(type, place, { walk, build: () => build(members, place, walk) });
}

/** `boolean` is two members to the checker; `undefined` is no business of a schema. */
function withWholeBoolean(members: readonly UnionMember[], checker: ts.TypeChecker): UnionMember[] {
  const defined = members
    .filter(({ type }) => !(type.flags & ts.TypeFlags.VoidLike))
    .map(({ type, written }) => ({ type: unbranded(type), written }));
  const [first, second] = defined.filter(({ type }) => type.flags & ts.TypeFlags.BooleanLiteral);
  if (second === undefined) return defined;
  const whole = { type: checker.getBooleanType(), written: undefined };
  return defined.filter((member) => member !== second).map((member) => (member === first ? whole : member));
}

interface SortedMembers {
  readonly literals: readonly ts.Type[];
  readonly others: readonly UnionMember[];
  readonly hasNull: boolean;
  /** Where the literals stand among the others. */
  readonly literalsAt: number;
}

function build(members: readonly UnionMember[], place: Place, walk: Walk): MadeSchema {
  const { literals, others, hasNull, literalsAt } = sort(members);
  if (literals.length > MAX_LITERALS || others.length > MAX_BRANCHES)
    return refuse(walk, place, tooLarge(place, walk, members.length));
  const branches = others.map(({ type: member, written }) => walk.make(member, { ...place, written }));
  if (branches.some(({ isRefused }) => isRefused === true)) return REFUSED;
  const openText = literals.length > 0 ? branches.find(({ schema }) => isAnyText(schema)) : undefined;
  if (openText !== undefined) branches[branches.indexOf(openText)] = suggest(openText, literals);
  else if (literals.length > 0) branches.splice(literalsAt, 0, toLiteralsSchema(literals, walk.context));
  const dates = datesOf(branches, place, walk);
  return { ...combine(branches, hasNull), dates };
}

function sort(members: readonly UnionMember[]): SortedMembers {
  const literals: ts.Type[] = [];
  const others: UnionMember[] = [];
  let literalsAt = -1;
  let hasNull = false;
  for (const member of members) {
    const { type } = member;
    if (type.flags & ts.TypeFlags.Null) hasNull = true;
    else if (!isLiteral(type)) others.push(member);
    else {
      if (literalsAt < 0) literalsAt = others.length;
      literals.push(type);
    }
  }
  return { literals, others, hasNull, literalsAt };
}

function tooLarge(place: Place, walk: Walk, members: number): Parameters<typeof refuse>[2] {
  return {
    code: "type_too_large",
    message: `${nameOf(place, walk.context)} is a union of ${members} types; a model is shown at most ${MAX_LITERALS} literals and ${MAX_BRANCHES} other types.`,
    fix: "Write string, say in the description what is allowed, and check it in the function.",
  };
}

/** `"a" | "b" | (string & {})` suggests, and admits any text. */
function isAnyText(schema: JsonSchema): boolean {
  return schema.type === "string" && Object.keys(schema).length === 1;
}

function suggest({ schema, ...rest }: MadeSchema, literals: readonly ts.Type[]): MadeSchema {
  return { ...rest, schema: { ...schema, examples: literals.map(literalValue) } };
}

function combine(branches: readonly MadeSchema[], hasNull: boolean): Omit<MadeSchema, "dates"> {
  const distinct = [...new Map(branches.map((branch) => [JSON.stringify(branch.schema), branch])).values()];
  const [only] = distinct;
  if (only === undefined) return { schema: hasNull ? { type: "null" } : {} };
  if (distinct.length > 1) {
    const schema = { anyOf: distinct.map(({ schema: branch }) => branch) };
    return { schema: hasNull ? addNull(schema) : schema };
  }
  const { schema, legend } = only;
  return { schema: hasNull ? addNull(schema) : schema, ...(legend !== undefined && { legend }) };
}

/** A text is made a `Date` where a pointer says so, whichever branch it came by: no other branch may have a text there. */
function datesOf(branches: readonly MadeSchema[], place: Place, walk: Walk): FoundDate[] {
  const { direction, definitions } = walk.context;
  const found = new Map<string, FoundDate>();
  for (const branch of branches) {
    for (const date of branch.dates) {
      const key = JSON.stringify(date.steps);
      const isAmbiguous = branches.some(
        (other) =>
          other !== branch &&
          !other.dates.some(({ steps }) => JSON.stringify(steps) === key) &&
          mayHoldText(other.schema, date.steps, definitions),
      );
      if (isAmbiguous && direction === "input") refuseDate(date, place, walk);
      else found.set(key, date);
    }
  }
  return [...found.values()];
}

function refuseDate({ node, steps }: FoundDate, place: Place, walk: Walk): void {
  const inside = { ...place, at: node, path: [...place.path, ...steps] };
  remark(walk, inside, {
    code: "date_ambiguous",
    message: `${nameOf(inside, walk.context)} may be a Date or another text, and nothing tells which.`,
    fix: "Write string with @format date-time for all of them, or give the date a member name of its own.",
  });
}
