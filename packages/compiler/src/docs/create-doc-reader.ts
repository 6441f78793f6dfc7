import { ts } from "@ts-morph/common";
import type { DocReader, SymbolDocs } from "../schema/schema-context.ts";
import { reportHiddenText } from "./hidden-comment.ts";
import { readInheritedDoc } from "./inherit-doc.ts";
import { locateConstraints, readConstraints, type Report } from "./read-constraints.ts";
import { findTag, toSentence } from "./read-doc.ts";
import { renderComment } from "./render-comment.ts";
import { reportMisspelt } from "./misspelt-tags.ts";

/** Reads the comments of types and their members for one tool; what is wrong in them is its fault. */
export function createDocReader(checker: ts.TypeChecker, report: Report): DocReader {
  const known = new Map<ts.Symbol, SymbolDocs>();
  return {
    describe(symbol) {
      const docs = known.get(symbol) ?? describe(symbol, checker, report);
      known.set(symbol, docs);
      return docs;
    },
  };
}

function describe(symbol: ts.Symbol, checker: ts.TypeChecker, report: Report): SymbolDocs {
  for (const declaration of (symbol.declarations ?? []).filter(speaksOfData)) {
    if (ts.isJSDocPropertyTag(declaration)) return describeProperty(declaration, report);
    // The comment of a function's parameter is its function's, and read with it.
    const doc = ts.isJSDocParameterTag(declaration) ? undefined : readInheritedDoc(declaration, checker);
    if (doc === undefined) continue;
    const isForeign = declaration.getSourceFile().fileName.includes("/node_modules/");
    reportHiddenText(doc.node, report);
    if (!isForeign) reportMisspelt(doc, report);
    const deprecated = findTag(doc, "deprecated");
    const tags = [...doc.tags, ...doc.examples];
    return {
      ...(doc.summary !== "" && { description: doc.summary }),
      // Other packages write their tags for other readers, and the author cannot correct them.
      constraints: isForeign ? {} : readConstraints(tags, report),
      written: locateConstraints(tags),
      ...(deprecated !== undefined && { deprecated: deprecated.text === "" ? true : deprecated.text }),
    };
  }
  return { constraints: {} };
}

/** `@property {string} city - Where.` of a type that JavaScript defines. */
function describeProperty(tag: ts.JSDocPropertyTag, report: Report): SymbolDocs {
  reportHiddenText(tag, report);
  const description = toSentence(renderComment(tag.comment));
  return { ...(description !== "" && { description }), constraints: {} };
}

/** A function or constant may have the name of a type; and an alias that takes types, of another package, says what it does to them. */
function speaksOfData(declaration: ts.Declaration): boolean {
  if (ts.isFunctionDeclaration(declaration) || ts.isVariableDeclaration(declaration)) return false;
  if (ts.isModuleDeclaration(declaration)) return false;
  const isOperator = ts.isTypeAliasDeclaration(declaration) && declaration.typeParameters !== undefined;
  return !isOperator || !declaration.getSourceFile().fileName.includes("/node_modules/");
}
