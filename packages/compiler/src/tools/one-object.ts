import { ts } from "@ts-morph/common";
import { isArrayLike } from "../schema/is-array-like.ts";
import { isPlatformSymbol } from "../schema/known-types.ts";
import type { CallParameter } from "./call-parameters.ts";
import { readObjectDefaults } from "./parameter-defaults.ts";

/** True for the only parameter of a function whose properties are the arguments of a call. */
export function isOneObject(parameter: CallParameter, checker: ts.TypeChecker): boolean {
  const { type, declaration, isRest, isOptional } = parameter;
  if (isRest) return false;
  if (declaration !== undefined && ts.isObjectBindingPattern(declaration.name)) return true;
  const bare = checker.getNonNullableType(type);
  const bound = bare.flags & ts.TypeFlags.TypeParameter ? (checker.getBaseConstraintOfType(bare) ?? bare) : bare;
  if (!isPlainObject(bound, checker)) return false;
  // Arguments are always an object: one that may be absent, and needs members when it is there, is an argument itself.
  return !isOptional || isFilled(bound, parameter, checker);
}

function isPlainObject(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (type.isIntersection()) return type.types.every((part) => isPlainObject(part, checker));
  if ((type.flags & ts.TypeFlags.Object) === 0) return false;
  if (isArrayLike(type, checker) || checker.isTupleType(type)) return false;
  if (type.getCallSignatures().length > 0 || type.getConstructSignatures().length > 0) return false;
  const symbol: ts.Symbol | undefined = type.symbol;
  if (symbol !== undefined && isPlatformSymbol(symbol)) return false;
  const isNamed = symbol !== undefined && (symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.Class)) !== 0;
  return isNamed || type.getProperties().length > 0 || checker.getIndexInfosOfType(type).length > 0;
}

function isFilled(type: ts.Type, { declaration }: CallParameter, checker: ts.TypeChecker): boolean {
  const filled = new Set(readObjectDefaults(declaration?.initializer, checker).map(({ path }) => path[0]));
  return checker
    .getPropertiesOfType(type)
    .every(({ name, flags }) => (flags & ts.SymbolFlags.Optional) !== 0 || filled.has(name));
}
