import { ts } from "@ts-morph/common";
import { isOwnFile, type Sources } from "./compilation.ts";
import { isCoreType } from "./core-names.ts";
import type { DiagnosticLog } from "./diagnostic-log.ts";
import { resolveAlias } from "./resolve-alias.ts";

/** One name under which a module hands out a value. */
export interface ModuleExport {
  readonly name: string;
  /** What it leads to, through every re-export. */
  readonly symbol: ts.Symbol;
  readonly declaration: ts.Declaration;
  /** Where its author says so: the declaration, or where another package's is exported again. */
  readonly place: ts.Node;
}

/** Lists the values that the entry exports, sorted by name; what is exported by name is not listed as default again. */
export function findExports(sources: Sources, log: DiagnosticLog): ModuleExport[] {
  const { checker, entry } = sources;
  const module = checker.getSymbolAtLocation(entry);
  if (module === undefined) return [];
  reportLostModules(entry, sources, { log, seen: new Set() });
  const exports = checker
    .getExportsOfModule(module)
    .flatMap((symbol) => toExport(symbol, sources))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return exports.filter(
    (one) => one.name !== "default" || !exports.some((other) => other !== one && other.symbol === one.symbol),
  );
}

/** True when the default export is a package of tools, which says by itself what belongs to it. */
export function findsToolPackage(sources: Sources): boolean {
  const { checker, entry } = sources;
  const module = checker.getSymbolAtLocation(entry);
  const exported = module && checker.getExportsOfModule(module).find(({ name }) => name === "default");
  const symbol = resolveAlias(exported, checker);
  if (symbol === undefined || (symbol.flags & ts.SymbolFlags.Value) === 0) return false;
  return isCoreType(checker.getTypeOfSymbolAtLocation(symbol, entry), ["ToolPackage"], sources);
}

function toExport(symbol: ts.Symbol, sources: Sources): ModuleExport[] {
  const { checker, entry } = sources;
  const specifiers = symbol.declarations ?? [];
  if (specifiers.some((one) => ts.isExportSpecifier(one) && (one.isTypeOnly || one.parent.parent.isTypeOnly)))
    return [];
  const target = resolveAlias(symbol, checker);
  const declaration = target.valueDeclaration ?? target.declarations?.[0];
  if ((target.flags & ts.SymbolFlags.Value) === 0 || declaration === undefined) return [];
  const place = [declaration, ...specifiers].find((one) => isOwnFile(one.getSourceFile().fileName, sources));
  return [{ name: symbol.name, symbol: target, declaration, place: place ?? entry }];
}

interface LostModules {
  readonly log: DiagnosticLog;
  /** Modules that export each other are looked at once. */
  readonly seen: Set<ts.SourceFile>;
}

/** A re-export that leads nowhere exports nothing, and nobody would say so. */
function reportLostModules(file: ts.SourceFile, sources: Sources, { log, seen }: LostModules): void {
  const open = [file];
  for (let current = open.pop(); current !== undefined; current = open.pop()) {
    if (seen.has(current) || !isOwnFile(current.fileName, sources)) continue;
    seen.add(current);
    for (const statement of current.statements) {
      if (!ts.isExportDeclaration(statement) || statement.isTypeOnly) continue;
      open.push(...followReExport(statement, sources.checker, log));
    }
  }
}

function followReExport(statement: ts.ExportDeclaration, checker: ts.TypeChecker, log: DiagnosticLog): ts.SourceFile[] {
  const { moduleSpecifier, exportClause } = statement;
  const module = moduleSpecifier && checker.getSymbolAtLocation(moduleSpecifier);
  if (moduleSpecifier !== undefined && module === undefined) {
    log.add(lost(moduleSpecifier, `${moduleSpecifier.getText()} cannot be found, so nothing of it is exported.`));
    return [];
  }
  if (exportClause === undefined) return (module?.declarations ?? []).filter(ts.isSourceFile);
  if (ts.isNamedExports(exportClause)) {
    for (const specifier of exportClause.elements) reportLostName(specifier, checker, log);
  }
  return [];
}

function reportLostName(specifier: ts.ExportSpecifier, checker: ts.TypeChecker, log: DiagnosticLog): void {
  const symbol = checker.getExportSpecifierLocalTargetSymbol(specifier) ?? checker.getSymbolAtLocation(specifier.name);
  const target = resolveAlias(symbol, checker);
  if (target !== undefined && (target.declarations ?? []).length > 0) return;
  log.add(lost(specifier, `${(specifier.propertyName ?? specifier.name).text.slice(0, 80)} is declared nowhere.`));
}

function lost(node: ts.Node, message: string): Parameters<DiagnosticLog["add"]>[0] {
  return {
    code: "export_unresolved",
    severity: "error",
    message,
    fix: "Correct the path or the name, or install the package.",
    node,
  };
}
