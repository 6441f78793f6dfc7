import { ts } from "@ts-morph/common";
import { resolveAlias } from "./resolve-alias.ts";

/** Where names in an expression are looked up. */
export interface NameScope {
  readonly checker: ts.TypeChecker;
  /** Around it the names of an expression are known that is no part of the program, such as an example in a comment. */
  readonly place?: ts.Node | undefined;
}

/** What a name stands for. */
export interface FoundConstant {
  /** Cannot change: what it says is the value. */
  readonly initializer?: ts.Expression | undefined;
  readonly enumMember?: ts.EnumMember;
  /** Told by the type when neither the code nor an enum does. */
  readonly literal?: string | number | undefined;
  /** Where the names of the initializer are looked up. */
  readonly scope: NameScope;
}

/** Finds `DEFAULT_LIMIT`, `Units.Celsius`: constants whose value cannot change, and nothing that has to run. */
export function findConstant(node: ts.Expression, scope: NameScope): FoundConstant | undefined {
  const { checker, place } = scope;
  if (place === undefined) return toConstant(symbolAt(node, checker), checker.getTypeAtLocation(node), checker);
  const own = ts.isIdentifier(node) ? declarationsBeside(node) : [];
  if (own.length > 0) return { scope, initializer: own.length === 1 ? initializerOf(own[0]) : undefined };
  const symbol = symbolInScope(node, checker, place);
  return symbol && toConstant(symbol, checker.getTypeOfSymbolAtLocation(symbol, place), checker);
}

function toConstant(symbol: ts.Symbol | undefined, type: ts.Type, checker: ts.TypeChecker): FoundConstant {
  const declaration = symbol?.valueDeclaration;
  const scope = { checker };
  if (declaration !== undefined && ts.isEnumMember(declaration)) return { enumMember: declaration, scope };
  const initializer = initializerOf(declaration);
  if (initializer !== undefined) return { initializer, scope };
  return { literal: type.isStringLiteral() || type.isNumberLiteral() ? type.value : undefined, scope };
}

function symbolAt(node: ts.Expression, checker: ts.TypeChecker): ts.Symbol | undefined {
  const symbol = ts.isShorthandPropertyAssignment(node.parent)
    ? checker.getShorthandAssignmentValueSymbol(node.parent)
    : checker.getSymbolAtLocation(node);
  return resolveAlias(symbol, checker);
}

/** A name, or a member of what a name stands for. */
function symbolInScope(node: ts.Expression, checker: ts.TypeChecker, place: ts.Node): ts.Symbol | undefined {
  if (ts.isIdentifier(node)) {
    const meaning = ts.SymbolFlags.Value | ts.SymbolFlags.Alias;
    const found = checker.getSymbolsInScope(place, meaning).find(({ name }) => name === node.text);
    return resolveAlias(found, checker);
  }
  const name = memberOf(node);
  if (name === undefined || declarationsBeside(node).length > 0) return undefined;
  const holder = symbolInScope((node as ts.AccessExpression).expression, checker, place);
  if (holder === undefined) return undefined;
  const member = checker.getTypeOfSymbolAtLocation(holder, place).getProperty(name);
  return resolveAlias(member, checker);
}

function memberOf(node: ts.Expression): string | undefined {
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  if (!ts.isElementAccessExpression(node)) return undefined;
  const { argumentExpression: key } = node;
  return ts.isStringLiteralLike(key) || ts.isNumericLiteral(key) ? key.text : undefined;
}

/** What the code around a name declares itself, which hides what is called the same elsewhere. */
function declarationsBeside(node: ts.Expression): ts.Node[] {
  const first = firstName(node);
  const found: ts.Node[] = [];
  const visit = (child: ts.Node): void => {
    const isDeclared = ts.isVariableDeclaration(child) || ts.isParameter(child) || ts.isBindingElement(child);
    if (isDeclared && ts.isIdentifier(child.name) && child.name.text === first) found.push(child);
    ts.forEachChild(child, visit);
  };
  if (first !== undefined) visit(node.getSourceFile());
  return found;
}

function firstName(node: ts.Expression): string | undefined {
  if (ts.isIdentifier(node)) return node.text;
  return memberOf(node) === undefined ? undefined : firstName((node as ts.AccessExpression).expression);
}

function initializerOf(declaration: ts.Node | undefined): ts.Expression | undefined {
  if (declaration === undefined) return undefined;
  if (ts.isVariableDeclaration(declaration)) {
    const isConstant = (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0;
    return isConstant && ts.isIdentifier(declaration.name) ? declaration.initializer : undefined;
  }
  return ts.isPropertyAssignment(declaration) && isFrozen(declaration) ? declaration.initializer : undefined;
}

/** True within `{ … } as const`. */
function isFrozen(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isAsExpression(parent)) return ts.isConstTypeReference(parent.type);
  const isPart =
    ts.isObjectLiteralExpression(parent) ||
    ts.isArrayLiteralExpression(parent) ||
    ts.isPropertyAssignment(parent) ||
    ts.isParenthesizedExpression(parent);
  return isPart && isFrozen(parent);
}
