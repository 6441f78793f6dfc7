import type { ts } from "@ts-morph/common";
import type { Report } from "./read-constraints.ts";
import type { Doc } from "./read-doc.ts";
import { findMeantTag, isKnownTag } from "./tag-names.ts";

/** Reports tags that are nearly ones that count; all others that nobody knows are left alone. */
export function reportMisspelt(doc: Doc, report: Report): void {
  for (const { name, node } of doc.tags) {
    const meant = findMeantTag(name);
    if (meant === undefined && !isKnownTag(name) && !beginsLine(node)) report(inText(name, node));
    if (meant === undefined) continue;
    report({
      code: "tag_misspelt",
      severity: "warning",
      message: `@${name.slice(0, 80)} is no tag and says nothing.`,
      fix: `Write @${meant}, if that is meant.`,
      node,
    });
  }
}

function beginsLine(tag: ts.Node): boolean {
  const { text } = tag.getSourceFile();
  return /(?:^|\n)[\s*]*(?:\/\*\*)?[\s*]*$/.test(text.slice(Math.max(0, tag.getStart() - 200), tag.getStart()));
}

/** `ask @alice first` ends at "ask". */
function inText(name: string, node: ts.Node): Parameters<Report>[0] {
  const shown = name.slice(0, 80);
  return {
    code: "tag_misspelt",
    severity: "warning",
    message: `@${shown} ends the text before it, and what follows is shown to nobody.`,
    fix: `Write \`@${shown}\` in backticks, if it is part of the text.`,
    node,
  };
}
