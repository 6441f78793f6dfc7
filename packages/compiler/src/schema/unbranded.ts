import { ts } from "@ts-morph/common";

/** The primitive of a branded one (`string & { __brand: "id" }`): a brand is for the checker alone. */
export function unbranded(type: ts.Type): ts.Type {
  if (!type.isIntersection()) return type;
  return type.types.find(({ flags }) => (flags & (ts.TypeFlags.Object | DEFERRED)) === 0) ?? type;
}

/** What is neither an object nor resolved: a parameter of a generic, or a type that waits for one. */
export const DEFERRED: ts.TypeFlags =
  ts.TypeFlags.TypeVariable | ts.TypeFlags.Index | ts.TypeFlags.Conditional | ts.TypeFlags.Substitution;
