import { ts } from "@ts-morph/common";
import { findTag, readDoc, type Doc } from "./read-doc.ts";

const INHERIT = /^\{@inherit[dD]oc(?:\s+([\w$.#]+))?\s*\}$/;

/** Links of `{@inheritDoc}` that are followed. */
const MAX_STEPS = 8;

/** Reads a declaration's comment; where it inherits one, that of the declaration it names or overrides. */
export function readInheritedDoc(declaration: ts.Node, checker: ts.TypeChecker, steps = 0): Doc | undefined {
  const doc = readDoc(declaration);
  if (doc === undefined) return undefined;
  const inherited = INHERIT.exec(doc.summary);
  const isWhole = inherited !== null || (doc.summary === "" && findTag(doc, "inheritDoc", "inheritdoc") !== undefined);
  if (!isWhole) return doc;
  const source = steps < MAX_STEPS ? findSource(declaration, inherited?.[1], checker) : undefined;
  const other = source && readInheritedDoc(source, checker, steps + 1);
  if (other === undefined) return { ...doc, summary: "" };
  return {
    ...other,
    ...doc,
    summary: other.summary,
    parameters: doc.parameters.length > 0 ? doc.parameters : other.parameters,
    examples: doc.examples.length > 0 ? doc.examples : other.examples,
    tags: [...doc.tags, ...other.tags],
  };
}

function findSource(declaration: ts.Node, name: string | undefined, checker: ts.TypeChecker): ts.Node | undefined {
  return name === undefined ? findOverridden(declaration, checker) : findNamed(declaration, name, checker);
}

function findOverridden(declaration: ts.Node, checker: ts.TypeChecker): ts.Node | undefined {
  const { parent } = declaration;
  if (!ts.isClassElement(declaration) || !ts.isClassLike(parent) || declaration.name === undefined) return undefined;
  const name = declaration.name.getText();
  for (const { types } of parent.heritageClauses ?? []) {
    for (const type of types) {
      const member = checker.getPropertyOfType(checker.getTypeAtLocation(type), name);
      const source = member?.declarations?.[0];
      if (source !== undefined && source !== declaration) return source;
    }
  }
  return undefined;
}

function findNamed(declaration: ts.Node, name: string, checker: ts.TypeChecker): ts.Node | undefined {
  const [first, ...members] = name.split(/[.#]/);
  const meanings = ts.SymbolFlags.Value | ts.SymbolFlags.Type | ts.SymbolFlags.Alias;
  let symbol = checker.getSymbolsInScope(declaration, meanings).find((one) => one.name === first);
  if (symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0) symbol = checker.getAliasedSymbol(symbol);
  for (const member of members) {
    const key = ts.escapeLeadingUnderscores(member);
    symbol = symbol?.members?.get(key) ?? symbol?.exports?.get(key);
  }
  const source = symbol?.declarations?.[0];
  return source === declaration ? undefined : source;
}
