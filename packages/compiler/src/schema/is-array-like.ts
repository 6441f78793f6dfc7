import { ts } from "@ts-morph/common";

/** True for what can be read as a list; the checker compares most objects with lists member by member to say that they are none. */
export function isArrayLike(type: ts.Type, checker: ts.TypeChecker): boolean {
  const isObject = (type.flags & ts.TypeFlags.Object) !== 0;
  if (isObject && checker.getPropertyOfType(type, "concat") === undefined) return false;
  return checker.isArrayLikeType(type);
}
