import { ts } from "@ts-morph/common";
import type { DocReader, SymbolDocs } from "../schema/schema-context.ts";
import { reportHiddenText } from "./hidden-comment.ts";
import { readInheritedDoc } from "./inherit-doc.ts";
import { readConstraints, type Report } from "./read-constraints.ts";
import { findTag } from "./read-doc.ts";
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
  for (const declaration of symbol.declarations ?? []) {
    // The comment of a function's parameter is its function's, and read with it.
    const doc = ts.isJSDocParameterTag(declaration) ? undefined : readInheritedDoc(declaration, checker);
    if (doc === undefined) continue;
    reportHiddenText(doc.node, report);
    reportMisspelt(doc, report);
    const deprecated = findTag(doc, "deprecated");
    return {
      ...(doc.summary !== "" && { description: doc.summary }),
      constraints: readConstraints([...doc.tags, ...doc.examples], report),
      ...(deprecated !== undefined && { deprecated: deprecated.text === "" ? true : deprecated.text }),
    };
  }
  return { constraints: {} };
}
