import { ts } from "@ts-morph/common";

/** Arguments that are named; more of them tell nobody anything. */
const MAX_ARGUMENTS = 4;

/** Generics of generics that are named. */
const MAX_DEPTH = 3;

const MAX_LENGTH = 64;

const INTRINSIC =
  ts.TypeFlags.String | ts.TypeFlags.Number | ts.TypeFlags.Boolean | ts.TypeFlags.Null | ts.TypeFlags.Unknown;

/** A readable name made of a type's own and its arguments' (`PageOfUser`); undefined for a type that nobody named. */
export function toTypeName(type: ts.Type, checker: ts.TypeChecker, depth = 0): string | undefined {
  if (type.aliasSymbol === undefined && checker.isArrayType(type)) return nameArgument(type, checker, depth);
  const symbol = type.aliasSymbol ?? type.symbol;
  if (symbol === undefined || /^(?:__|default$|Record$|Partial$|Required$|Readonly$|Pick$|Omit$)/.test(symbol.name))
    return undefined;
  const given = depth < MAX_DEPTH ? argumentsOf(type, checker).slice(0, MAX_ARGUMENTS) : [];
  const names = given.flatMap((argument) => nameArgument(argument, checker, depth + 1) ?? []);
  const name = names.length === 0 ? symbol.name : `${symbol.name}Of${names.join("And")}`;
  return toLegalName(name);
}

/** A name for a type that nobody named: that of the member it was met at. */
export function toFallbackName(path: readonly string[]): string {
  const last = path.findLast((step) => /[A-Za-z]/.test(step)) ?? "value";
  return toLegalName(`${last.charAt(0).toUpperCase()}${last.slice(1)}`) || "Value";
}

function argumentsOf(type: ts.Type, checker: ts.TypeChecker): readonly ts.Type[] {
  if (type.aliasSymbol !== undefined) return type.aliasTypeArguments ?? [];
  if (!isInstance(type)) return [];
  // What comes after the declared ones is `this`.
  return checker.getTypeArguments(type).slice(0, type.target.typeParameters?.length ?? 0);
}

/** An instance of a generic interface or class, of lists and tuples too. */
export function isInstance(type: ts.Type): type is ts.TypeReference {
  return (
    (type.flags & ts.TypeFlags.Object) !== 0 && ((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Reference) !== 0
  );
}

function nameArgument(type: ts.Type, checker: ts.TypeChecker, depth: number): string | undefined {
  if (checker.isArrayType(type)) {
    const [item] = checker.getTypeArguments(type as ts.TypeReference);
    const name = item === undefined ? undefined : nameArgument(item, checker, depth);
    return name === undefined ? undefined : `${name}List`;
  }
  if (type.isStringLiteral()) return /^\w{1,24}$/.test(type.value) ? capitalize(type.value) : undefined;
  if (type.flags & INTRINSIC) return capitalize(checker.typeToString(type));
  return toTypeName(type, checker, depth);
}

function capitalize(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Names stand in references, where other characters would be escaped. */
function toLegalName(name: string): string {
  return name.replaceAll(/\W/g, "").slice(0, MAX_LENGTH);
}
