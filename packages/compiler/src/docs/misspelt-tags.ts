import type { Report } from "./read-constraints.ts";
import type { Doc } from "./read-doc.ts";
import { findMeantTag } from "./tag-names.ts";

/** Reports tags that are nearly ones that count; all others that nobody knows are left alone. */
export function reportMisspelt(doc: Doc, report: Report): void {
  for (const { name, node } of doc.tags) {
    const meant = findMeantTag(name);
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
