import { ts } from "@ts-morph/common";

interface CommentParser {
  parseIsolatedJSDocComment(text: string, start: number, length: number): { readonly jsDoc: ts.JSDoc } | undefined;
}

/** TypeScript gives a comment to what follows it on a new line only; members on the line of their comment are meant, too. */
export function readSameLineComment(declaration: ts.Node): ts.JSDoc | undefined {
  if (!isMember(declaration)) return undefined;
  const { text } = declaration.getSourceFile();
  const start = declaration.getStart();
  // What stands behind a member, with a line's end after it, speaks of the member before.
  const found = /\/\*\*(?:(?!\*\/)[\s\S])*\*\/[^\S\n]*$/.exec(text.slice(declaration.pos, start));
  if (found === null) return undefined;
  const { parseIsolatedJSDocComment } = ts as unknown as CommentParser;
  const comment = parseIsolatedJSDocComment(text, declaration.pos + found.index, found[0].trimEnd().length)?.jsDoc;
  return comment && Object.assign(comment, { parent: declaration });
}

function isMember(node: ts.Node): boolean {
  return ts.isTypeElement(node) || ts.isClassElement(node) || ts.isEnumMember(node);
}
