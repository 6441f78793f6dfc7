import { ts } from "@ts-morph/common";
import type { DiagnosticCode } from "../diagnostic-codes.ts";
import type { DiagnosticSeverity } from "../diagnostic.ts";
import { REFUSED, type MadeSchema } from "./made-schema.ts";
import type { SchemaContext } from "./schema-context.ts";

/** Where a type is used. */
export interface Place {
  /** The nearest declaration, at which remarks are made. */
  readonly at: ts.Node;
  /** How the author wrote the type, if that is known: it keeps the order of unions and the names of aliases. */
  readonly written: ts.TypeNode | undefined;
  /** Names from the root value on; `*` for items and members without a name. */
  readonly path: readonly string[];
  /** Symbols of the types around, outermost first. */
  readonly around: readonly ts.Symbol[];
}

/** One walk through a type, as its steps see it. */
export interface Walk {
  readonly context: SchemaContext;
  /** Makes the schema of a part. */
  make(type: ts.Type, place: Place): MadeSchema;
}

/** What is said of a place. */
export interface Remark {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly fix: string;
  readonly severity?: DiagnosticSeverity;
}

/** Says something of a place once, however often the type is used. */
export function remark(walk: Walk, place: Place, { severity = "error", ...rest }: Remark): void {
  const { reported } = walk.context.definitions;
  const known = reported.get(place.at) ?? new Set();
  const key = `${rest.code} ${place.path.at(-1) ?? ""}`;
  if (known.has(key)) return;
  reported.set(place.at, known.add(key));
  walk.context.report({ severity, ...rest, node: place.at });
}

/** Says why a type has no schema. */
export function refuse(walk: Walk, place: Place, reason: Remark): MadeSchema {
  remark(walk, place, reason);
  return REFUSED;
}

/** How a person calls a place: `options.filter.tags[]`. */
export function nameOf({ path }: Place, { direction }: SchemaContext): string {
  return showPath(path) || (direction === "input" ? "the input" : "the output");
}

/** Joins names as code does. */
export function showPath(path: readonly string[]): string {
  return path
    .map((step) => (step === "*" ? "[]" : /^\d+$/.test(step) ? `[${step}]` : `.${step}`))
    .join("")
    .replace(/^\./, "");
}

/** One step inside; a part that is not declared anywhere is spoken of where the whole is. */
export function placeBelow(place: Place, step: string, part: Partial<Pick<Place, "at" | "written">> = {}): Place {
  return { ...place, at: part.at ?? place.at, written: part.written, path: [...place.path, step] };
}

/** The type as somebody wrote it at a declaration. */
export function writtenType(declaration: ts.Node | undefined): ts.TypeNode | undefined {
  if (declaration === undefined) return undefined;
  const { type } = declaration as { readonly type?: ts.Node };
  return type !== undefined && ts.isTypeNode(type) ? type : undefined;
}

/** Looks through parentheses, `readonly` and names of aliases that take no arguments, to what was written in the end. */
export function unwrapWritten(node: ts.TypeNode | undefined, checker: ts.TypeChecker): ts.TypeNode | undefined {
  let current = node;
  for (let steps = 0; current !== undefined && steps < 32; steps += 1) {
    if (ts.isParenthesizedTypeNode(current)) current = current.type;
    else if (ts.isTypeOperatorNode(current) && current.operator === ts.SyntaxKind.ReadonlyKeyword)
      current = current.type;
    else {
      const alias = aliasAt(current, checker)?.declarations?.find(ts.isTypeAliasDeclaration);
      if (alias === undefined || alias.typeParameters !== undefined) return current;
      current = alias.type;
    }
  }
  return current;
}

/** The aliases that a type is written as: an alias of an alias comes after it. */
export function aliasesAt(node: ts.TypeNode | undefined, checker: ts.TypeChecker): ts.Symbol[] {
  const aliases: ts.Symbol[] = [];
  for (let alias = aliasAt(node, checker); alias !== undefined && !aliases.includes(alias);) {
    aliases.push(alias);
    alias = aliasAt(alias.declarations?.find(ts.isTypeAliasDeclaration)?.type, checker);
  }
  return aliases;
}

function aliasAt(node: ts.TypeNode | undefined, checker: ts.TypeChecker): ts.Symbol | undefined {
  if (node === undefined || !ts.isTypeReferenceNode(node)) return undefined;
  const symbol = checker.getSymbolAtLocation(node.typeName);
  if (symbol === undefined) return undefined;
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return target.flags & ts.SymbolFlags.TypeAlias ? target : undefined;
}
