import type { Json } from "@aiw/core";
import { ts } from "@ts-morph/common";
import { findConstant, type NameScope } from "./find-constant.ts";

/** What an expression is known to be without running it. */
export type LiteralValue = { readonly known: true; readonly value: Json | undefined } | { readonly known: false };

const UNKNOWN: LiteralValue = { known: false };

/** Levels an expression may nest, constants it leads to included. */
const MAX_DEPTH = 64;

/** Reads JSON that is written in code: literals, lists, objects, constants and enum members made of them. */
export function readLiteral(node: ts.Expression, scope?: NameScope, depth = 0): LiteralValue {
  if (depth > MAX_DEPTH) return UNKNOWN;
  const next = (inner: ts.Expression): LiteralValue => readLiteral(inner, scope, depth + 1);
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) {
    return next(node.expression);
  }
  if (ts.isStringLiteralLike(node)) return known(node.text);
  if (ts.isNumericLiteral(node)) return toNumber(Number(node.text));
  if (ts.isPrefixUnaryExpression(node)) return readSigned(node, next);
  if (ts.isArrayLiteralExpression(node)) return readList(node.elements, next);
  if (ts.isObjectLiteralExpression(node)) return readObject(node, next);
  return readKeyword(node) ?? (scope === undefined ? UNKNOWN : readConstant(node, scope, depth));
}

/** Reads an expression such as a date in an example, which becomes the text that JSON has for it. */
export function readDateLiteral(node: ts.Expression): string | undefined {
  if (!ts.isNewExpression(node) || !ts.isIdentifier(node.expression) || node.expression.text !== "Date")
    return undefined;
  const [argument, ...parts] = node.arguments ?? [];
  // Year, month and day are of the place where the code runs.
  const literal = argument && parts.length === 0 ? readLiteral(argument) : undefined;
  if (literal?.known !== true || (typeof literal.value !== "string" && typeof literal.value !== "number"))
    return undefined;
  const date = new Date(literal.value);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

function known(value: Json | undefined): LiteralValue {
  return { known: true, value };
}

function toNumber(value: number): LiteralValue {
  return Number.isFinite(value) ? known(Object.is(value, -0) ? 0 : value) : UNKNOWN;
}

function readKeyword(node: ts.Expression): LiteralValue | undefined {
  if (node.kind === ts.SyntaxKind.TrueKeyword) return known(true);
  if (node.kind === ts.SyntaxKind.FalseKeyword) return known(false);
  if (node.kind === ts.SyntaxKind.NullKeyword) return known(null);
  if (ts.isIdentifier(node) && node.text === "undefined") return known(undefined);
  const date = readDateLiteral(node);
  return date === undefined ? undefined : known(date);
}

function readSigned(
  { operator, operand }: ts.PrefixUnaryExpression,
  read: (node: ts.Expression) => LiteralValue,
): LiteralValue {
  const inner = read(operand);
  if (!inner.known) return UNKNOWN;
  if (operator === ts.SyntaxKind.ExclamationToken) return known(!Boolean(inner.value));
  if (typeof inner.value !== "number") return UNKNOWN;
  if (operator === ts.SyntaxKind.MinusToken) return toNumber(-inner.value);
  return operator === ts.SyntaxKind.PlusToken ? inner : UNKNOWN;
}

function readList(elements: readonly ts.Expression[], read: (node: ts.Expression) => LiteralValue): LiteralValue {
  const list: Json[] = [];
  for (const element of elements) {
    const item = ts.isSpreadElement(element) ? UNKNOWN : read(element);
    if (!item.known || item.value === undefined) return UNKNOWN;
    list.push(item.value);
  }
  return known(list);
}

function readObject(
  { properties }: ts.ObjectLiteralExpression,
  read: (node: ts.Expression) => LiteralValue,
): LiteralValue {
  const entries: [string, Json][] = [];
  for (const property of properties) {
    const value = ts.isPropertyAssignment(property)
      ? read(property.initializer)
      : ts.isShorthandPropertyAssignment(property)
        ? read(property.name)
        : UNKNOWN;
    const name = nameOfMember(property);
    if (!value.known || name === undefined) return UNKNOWN;
    if (value.value !== undefined) entries.push([name, value.value]);
  }
  return known(Object.fromEntries(entries));
}

/** The name of a member that is written out. */
export function nameOfMember({ name }: { readonly name?: ts.Node | undefined }): string | undefined {
  if (name === undefined) return undefined;
  if (ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name)) return name.text;
  return ts.isComputedPropertyName(name) && ts.isStringLiteralLike(name.expression) ? name.expression.text : undefined;
}

function readConstant(node: ts.Expression, scope: NameScope, depth: number): LiteralValue {
  const found = findConstant(node, scope);
  if (found?.enumMember !== undefined) return known(scope.checker.getConstantValue(found.enumMember));
  if (found?.initializer !== undefined) return readLiteral(found.initializer, found.scope, depth + 1);
  return found?.literal === undefined ? UNKNOWN : known(found.literal);
}
