import { escapeHiddenText } from "@aiw/core";
import type { ts } from "@ts-morph/common";
import type { Report } from "./read-constraints.ts";

/** Reports the first character of a comment, or of any other node, that a reader does not see and a model does. */
export function reportHiddenText(node: ts.Node, report: Report): void {
  const text = node.getText();
  const escaped = escapeHiddenText(text);
  if (escaped === text) return;
  let index = 0;
  while (text[index] === escaped[index]) index += 1;
  const hidden = String.fromCodePoint(text.codePointAt(index) ?? 0);
  // Deleted, the character would let the comment end there.
  const isInEnd = text[index - 1] === "*" && text[index + hidden.length] === "/";
  // Both begin alike where a backslash is the character before.
  const shown = /^\\u\{[0-9a-f]+\}/.exec(escaped.slice(index))?.[0] ?? "a hidden character";
  report({
    code: "hidden_text",
    severity: "error",
    message: `The text has ${shown}, which a reader does not see and a model does.`,
    fix: isInEnd
      ? String.raw`Write *\/ instead: it is read as */ and does not end the comment.`
      : "Delete the character.",
    node,
    position: node.getStart() + index,
  });
}
