import type { Json } from "@aiw/core";
import { ts } from "@ts-morph/common";
import { nameOfMember, readLiteral } from "./literal-value.ts";

/** A value of its own that the code has for a member. */
export interface CodeDefault {
  /** Names from the arguments on. */
  readonly path: readonly string[];
  readonly node: ts.Node;
  /** Absent when only running the code would tell it. */
  readonly value?: Json;
}

/** Levels of destructuring that are looked into. */
const MAX_DEPTH = 16;

/** What a parameter written `{ city, days = 3 }` says of the members it takes apart. */
export function readBindingDefaults(
  pattern: ts.BindingName,
  checker: ts.TypeChecker,
  path: readonly string[] = [],
): CodeDefault[] {
  if (!ts.isObjectBindingPattern(pattern) || path.length > MAX_DEPTH) return [];
  return pattern.elements.flatMap((element) => {
    const name =
      element.propertyName === undefined ? nameOfMember(element) : nameOfMember({ name: element.propertyName });
    if (name === undefined || element.dotDotDotToken !== undefined) return [];
    const here = [...path, name];
    const own = element.initializer === undefined ? [] : [toDefault(here, element.initializer, checker)];
    return [...own, ...readBindingDefaults(element.name, checker, here)];
  });
}

/** What `= { days: 3 }` at a whole parameter says of members that its type requires. */
export function readObjectDefaults(initializer: ts.Expression | undefined, checker: ts.TypeChecker): CodeDefault[] {
  if (initializer === undefined || !ts.isObjectLiteralExpression(initializer)) return [];
  return initializer.properties.flatMap((property) => {
    const name = nameOfMember(property);
    return name !== undefined && ts.isPropertyAssignment(property)
      ? [toDefault([name], property.initializer, checker)]
      : [];
  });
}

/** Reads the default of one parameter or member. */
export function toDefault(path: readonly string[], initializer: ts.Expression, checker: ts.TypeChecker): CodeDefault {
  const literal = readLiteral(initializer, { checker });
  const { value } = literal.known ? literal : {};
  return { path, node: initializer, ...(value !== undefined && { value }) };
}
