import { ts } from "@ts-morph/common";
import type { Sources } from "./compilation.ts";
import { resolveAlias } from "./resolve-alias.ts";

const CORE = "@aiw/core";

/** True for an expression that is what `@aiw/core` calls `name`, whatever it is called here. */
export function isCoreValue(node: ts.Node, name: string, sources: Sources): boolean {
  const { checker } = sources;
  const symbol = checker.getSymbolAtLocation(node);
  if (symbol === undefined) return isCoreMember(node, name, checker);
  return isCoreSymbol(symbol, name, sources) || isCoreMember(node, name, checker);
}

/** True for a type that `@aiw/core` calls by one of these names, and for what extends it. */
export function isCoreType(type: ts.Type, names: readonly string[], sources: Sources): boolean {
  const symbols = [type.aliasSymbol, type.symbol];
  if (symbols.some((symbol) => symbol !== undefined && names.some((name) => isCoreSymbol(symbol, name, sources)))) {
    return true;
  }
  if (!type.isClassOrInterface() && (type as ts.TypeReference).target === undefined) return false;
  const bases = sources.checker.getBaseTypes((type as ts.TypeReference).target ?? (type as ts.InterfaceType));
  return bases.some((base) => isCoreType(base, names, sources));
}

/** True for a type as it is written, also while `@aiw/core` cannot be found. */
export function isCoreTypeNode(node: ts.TypeNode | undefined, name: string, sources: Sources): boolean {
  if (node === undefined || !ts.isTypeReferenceNode(node)) return false;
  return isCoreValue(ts.isQualifiedName(node.typeName) ? node.typeName.right : node.typeName, name, sources);
}

function isCoreSymbol(symbol: ts.Symbol, name: string, { checker, packages }: Sources): boolean {
  if (isImportedAs(symbol, name)) return true;
  const target = resolveAlias(symbol, checker);
  if (target.name !== name) return false;
  return (target.declarations ?? []).some((one) => packages.nameOf(one.getSourceFile().fileName) === CORE);
}

/** `import { tool as define } from "@aiw/core"`. */
function isImportedAs({ declarations = [] }: ts.Symbol, name: string): boolean {
  return declarations.some((declaration) => {
    if (!ts.isImportSpecifier(declaration)) return false;
    const { moduleSpecifier } = declaration.parent.parent.parent;
    const imported = (declaration.propertyName ?? declaration.name).text;
    return imported === name && ts.isStringLiteral(moduleSpecifier) && moduleSpecifier.text === CORE;
  });
}

/** `core.tool` after `import * as core from "@aiw/core"`. */
function isCoreMember(node: ts.Node, name: string, checker: ts.TypeChecker): boolean {
  const access = ts.isPropertyAccessExpression(node) ? node : undefined;
  const qualified = ts.isQualifiedName(node.parent) && node.parent.right === node ? node.parent : undefined;
  if ((access?.name ?? qualified?.right)?.text !== name) return false;
  const space = access?.expression ?? qualified?.left;
  const declarations = (space && checker.getSymbolAtLocation(space)?.declarations) ?? [];
  return declarations.some(
    (one) =>
      ts.isNamespaceImport(one) &&
      ts.isStringLiteral(one.parent.parent.moduleSpecifier) &&
      one.parent.parent.moduleSpecifier.text === CORE,
  );
}
