import type { ts } from "@ts-morph/common";

/** The text of a tag, and where it ends when that is further than TypeScript says. */
export interface WholeText {
  readonly text: string;
  /** Offset in the file; tags before it are code. */
  readonly end: number;
}

/** TypeScript takes an `@` in fenced code for the next tag; the rest of the code is read from the source. */
export function closeFence(rendered: string, tag: ts.JSDocTag, comment: ts.JSDoc): WholeText {
  if ((rendered.match(/^[^\S\n]*```/gm) ?? []).length % 2 === 0) return { text: rendered, end: 0 };
  const start = tag.tagName.end;
  const source = tag.getSourceFile().text.slice(start, comment.end - 2);
  const code = /^[\s\S]*?\n[^\S\n]*\*?[^\S\n]*```[\s\S]*?\n[^\S\n]*\*?[^\S\n]*```/.exec(source)?.[0];
  if (code === undefined) return { text: rendered, end: 0 };
  const text = code.replaceAll(/\r?\n[^\S\n]*\*? ?/g, "\n").trim();
  return { text, end: start + code.length };
}
