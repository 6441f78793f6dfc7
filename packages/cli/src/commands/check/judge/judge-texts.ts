import { findUndescribed, type ToolSpec } from "@aiw/core";
import type { CheckFinding, Verdict } from "../scorecard.ts";
import type { CheckSubject } from "../subject.ts";
import { fail, membersOf, nameSome, quote, warn } from "./finding.ts";
import { listSpecIssues } from "./judge-specs.ts";

const NO_MANIFEST = { skipped: "there is no manifest to read" };

/** Characters below which a description says hardly more than the name. */
const MIN_DESCRIPTION = 10;

/** Alphabets whose letters look like those of another. */
const SCRIPTS: readonly (readonly [name: string, letters: RegExp])[] = [
  ["Latin", /\p{Script=Latin}/u],
  ["Cyrillic", /\p{Script=Cyrillic}/u],
  ["Greek", /\p{Script=Greek}/u],
  ["Armenian", /\p{Script=Armenian}/u],
  ["Cherokee", /\p{Script=Cherokee}/u],
  ["Georgian", /\p{Script=Georgian}/u],
];

/** Descriptions within their bounds that show people what they show models (SEC-META-1). */
export function judgeDescriptions(subject: CheckSubject): Verdict {
  const { manifest } = subject;
  if (manifest === undefined) return NO_MANIFEST;
  const short = manifest.specs.filter(({ description }) => measure(description) < MIN_DESCRIPTION);
  return [
    ...listSpecIssues(subject, "descriptions"),
    ...short.map(({ name, description }) =>
      warn({
        tool: name,
        file: manifest.file,
        reason: `${quote(description)} tells a model hardly more than the name.`,
        fix: "Say what the tool does, on what, and what it gives.",
      }),
    ),
  ];
}

/** A sign that stands for a word says as much as several letters. */
function measure(text: string): number {
  const signs = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu) ?? [];
  return text.trim().length + 2 * signs.length;
}

/** No word has letters of several alphabets that look alike (SEC-META-2). */
export function judgeAlphabets({ manifest }: CheckSubject): Verdict {
  if (manifest === undefined) return NO_MANIFEST;
  return manifest.specs.flatMap((spec) => {
    const mixed = [...new Set(listTexts(spec).flatMap(findMixed))];
    if (mixed.length === 0) return [];
    const reason = `Letters of several alphabets stand in one word: ${nameSome(mixed)}.`;
    return [warn({ tool: spec.name, file: manifest.file, reason, fix: "Write each word in one alphabet." })];
  });
}

/** A word, and the alphabets in it. */
function findMixed(text: string): string[] {
  // Printable ASCII mixes nothing, and is what nearly all text is.
  if (/^[\s\x20-\x7e]*$/.test(text)) return [];
  return (text.match(/[\p{L}\p{M}]+/gu) ?? []).flatMap((word) => {
    const scripts = SCRIPTS.filter(([, letters]) => letters.test(word)).map(([name]) => name);
    return scripts.length > 1 ? [`${quote(word)} (${scripts.join(" and ")})`] : [];
  });
}

/** Every text of a definition, names of members too. */
function listTexts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [key, ...listTexts(member)]);
}

/** A model is told what each parameter is. */
export function judgeParameters({ manifest }: CheckSubject): Verdict {
  if (manifest === undefined) return NO_MANIFEST;
  return manifest.specs.flatMap((spec): CheckFinding[] => {
    const mute = findUndescribed(spec.inputSchema);
    if (mute.length === 0) return [];
    const reason = `A model is not told what ${nameSome(mute)} ${mute.length === 1 ? "is" : "are"}.`;
    return [
      fail({
        tool: spec.name,
        file: manifest.file,
        reason,
        fix: `${isCompiled(spec) ? adviseComment(mute) : `Describe ${nameSome(mute)} in the input schema`}, then: aiw build`,
      }),
    ];
  });
}

/** Its input schema was made of the types and comments of a function. */
function isCompiled({ implementation }: ToolSpec): boolean {
  return membersOf(implementation).some(([name, value]) => name === "compiled" && value === true);
}

function adviseComment([first = "", ...others]: readonly string[]): string {
  const more = others.length === 0 ? "" : `, and so for ${nameSome(others)}`;
  return `Write @param ${nameSome([first])} - What it is. in the comment of the function, or a comment above the member${more}`;
}
