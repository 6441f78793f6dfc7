import { ts } from "@ts-morph/common";

interface CommentParser {
  parseIsolatedJSDocComment(text: string, start: number, length: number): { readonly jsDoc: ts.JSDoc } | undefined;
}

/** TypeScript gives a comment to what follows it on a new line only; members on the line of their comment are meant, too. */
export function readSameLineComment(declaration: ts.Node): ts.JSDoc | undefined {
  const { text, fileName } = declaration.getSourceFile();
  // In JavaScript such a comment would say types that the checker does not read.
  if (!isMember(declaration) || /\.[cm]?jsx?$/.test(fileName)) return undefined;
  const start = declaration.getStart();
  // What stands behind a member, with a line's end after it, speaks of the member before.
  const found = /\/\*\*(?:(?!\*\/)[\s\S])*\*\/[^\S\n]*$/.exec(text.slice(declaration.pos, start));
  if (found === null) return undefined;
  const { parseIsolatedJSDocComment } = ts as unknown as CommentParser;
  const comment = parseIsolatedJSDocComment(text, declaration.pos + found.index, found[0].trimEnd().length)?.jsDoc;
  return comment && Object.assign(comment, { parent: declaration });
}

function isMember(node: ts.Node): boolean {
  return ts.isTypeElement(node) || ts.isClassElement(node) || ts.isEnumMember(node) || ts.isPropertyAssignment(node);
}
