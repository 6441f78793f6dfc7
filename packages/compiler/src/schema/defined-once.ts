import { ts } from "@ts-morph/common";
import type { Definition, Definitions } from "./definitions.ts";
import { documentMade } from "./document-made.ts";
import { isArrayLike } from "./is-array-like.ts";
import { isPlatformDeclared } from "./known-types.ts";
import type { Laying } from "./lay-constraints.ts";
import { REFUSED, type MadeSchema } from "./made-schema.ts";
import type { SchemaContext } from "./schema-context.ts";
import { isInstance, toFallbackName, toTypeName } from "./type-name.ts";
import { nameOf, remark, type Place, type Walk } from "./walk.ts";

const DOCUMENTED = ts.SymbolFlags.TypeAlias | ts.SymbolFlags.Interface | ts.SymbolFlags.Class | ts.SymbolFlags.Enum;

interface Making {
  readonly walk: Walk;
  build(): MadeSchema;
}

/** Makes the schema of a type at its first use; inside itself, and for types of declared members also later, it is referred to. */
export function definedOnce(type: ts.Type, place: Place, { walk, build }: Making): MadeSchema {
  const { definitions, checker } = walk.context;
  const key = keyOf(type, walk.context);
  const known = definitions.referenceOf.get(key);
  const definition = known === undefined ? undefined : definitions.byReference.get(known);
  if (known !== undefined && definition !== undefined) {
    definition.name ??= toTypeName(type, checker);
    return referTo(known, definition);
  }
  const reference = `#/$defs/${definitions.byReference.size}`;
  const fresh: Definition = {
    name: toTypeName(type, checker),
    fallbackName: toFallbackName(place.path),
    schema: undefined,
    dates: [],
    isRecursive: false,
    isRefused: false,
  };
  definitions.byReference.set(reference, fresh);
  definitions.referenceOf.set(key, reference);
  const built = describeType(type, build(), { place, walk });
  fresh.schema = built.schema;
  fresh.dates = built.dates;
  fresh.isRefused = built.isRefused === true;
  if (fresh.isRecursive && refuseDates(fresh, place, walk)) return REFUSED;
  if (fresh.isRecursive || isMadeOfDeclaredMembers(type, checker)) return referTo(reference, fresh);
  // The same type may be written with other aliases elsewhere, which say more than the type.
  definitions.referenceOf.delete(key);
  return built;
}

/** What is said of a type where it is declared holds wherever it is used. */
function describeType(type: ts.Type, built: MadeSchema, laying: Laying): MadeSchema {
  const symbol = type.aliasSymbol ?? type.symbol;
  if (symbol === undefined || built.isRefused === true || !(symbol.flags & DOCUMENTED) || isPlatformDeclared(symbol))
    return built;
  return documentMade(built, laying.walk.context.docs.describe(symbol), laying);
}

function referTo(reference: string, definition: Definition): MadeSchema {
  if (definition.schema === undefined) definition.isRecursive = true;
  if (definition.isRefused) return REFUSED;
  return { schema: { $ref: reference }, dates: definition.dates };
}

/**
 * What makes types the same: the checker has two identities for a union with and without `undefined`, and for a generic's
 * instance that an alias names.
 */
function keyOf(type: ts.Type, { definitions, checker }: SchemaContext): string {
  const join = (types: readonly ts.Type[]): string => types.map((one) => numberOf(one, definitions)).join();
  if (type.isUnion()) return `union ${join(type.types.filter(({ flags }) => !(flags & ts.TypeFlags.Undefined)))}`;
  if (!isInstance(type)) return String(numberOf(type, definitions));
  const { target } = type;
  return `instance ${join([target, ...checker.getTypeArguments(type).slice(0, target.typeParameters?.length)])}`;
}

function numberOf(type: ts.Type, { typeNumbers }: Definitions): number {
  const number = typeNumbers.get(type) ?? typeNumbers.size;
  typeNumbers.set(type, number);
  return number;
}

function isMadeOfDeclaredMembers(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (type.isUnion() || isArrayLike(type, checker)) return false;
  return (
    checker.getPropertiesOfType(type).every(({ declarations = [] }) => declarations.length > 0) &&
    checker.getIndexInfosOfType(type).length === 0
  );
}

/** No list of pointers reaches all the places of a type that contains itself. */
function refuseDates({ dates }: Definition, place: Place, walk: Walk): boolean {
  for (const { node } of dates) {
    remark(
      walk,
      { ...place, at: node },
      {
        code: "date_ambiguous",
        message: `A Date in ${nameOf(place, walk.context)} is part of a type that contains itself, where it cannot be found again.`,
        fix: "Write string with @format date-time.",
      },
    );
  }
  return dates.length > 0;
}
