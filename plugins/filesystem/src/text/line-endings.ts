import { diffArrays } from "diff";
import { nameEnding, type TextSurvey } from "./survey-text.ts";

const DIFF_TIMEOUT_MS = 300;

interface Line {
  readonly text: string;
  readonly ending: "" | "\n" | "\r\n";
}

/** Counts the line feeds of a text. */
export function countLineFeeds(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

/** Counts how the lines of a text end. */
export function countEndings(text: string): TextSurvey["endings"] {
  const crlf = text.match(/\r\n/gu)?.length ?? 0;
  return { crlf, lf: (text.match(/\n/gu)?.length ?? 0) - crlf };
}

/** Counts the lines of a text; a line feed at the end begins no further one. */
export function countTextLines(text: string): number {
  return countLineFeeds(text) + (text === "" || text.endsWith("\n") ? 0 : 1);
}

/** Ends every line of a text alike; a carriage return alone ends none. */
export function convertEndings(text: string, ending: "lf" | "crlf"): string {
  return text.replaceAll(/\r?\n/gu, ending === "lf" ? "\n" : "\r\n");
}

/** The ending that most lines have; `undefined` where no line has one. */
export function mainEnding({ lf, crlf }: TextSurvey["endings"]): "lf" | "crlf" | undefined {
  if (lf + crlf === 0) return undefined;
  return crlf > lf ? "crlf" : "lf";
}

/** Gives new text the endings of the old: lines that stay keep theirs, new ones take that of the line before. */
export function keepEndings(text: string, old: string): string {
  const endings = countEndings(old);
  const main = mainEnding(endings);
  if (main === undefined) return text;
  if (nameEnding(endings) !== "mixed") return convertEndings(text, main);
  return keepMixed(text, old) ?? convertEndings(text, main);
}

function keepMixed(text: string, old: string): string | undefined {
  const [before, after] = [splitLines(old), splitLines(text)];
  const changes = diffArrays(
    before.map((line) => line.text),
    after.map((line) => line.text),
    { timeout: DIFF_TIMEOUT_MS },
  );
  if (changes === undefined) return undefined;
  const kept: string[] = [];
  let ending = before[0]?.ending ?? "";
  let [at, index] = [0, 0];
  for (const { added, removed, value } of changes) {
    for (const line of value) {
      if (!added) {
        const own = before[at]?.ending ?? "";
        if (own !== "") ending = own;
        at += 1;
      }
      if (removed) continue;
      kept.push(line, after[index]?.ending === "" ? "" : ending);
      index += 1;
    }
  }
  return kept.join("");
}

function splitLines(text: string): Line[] {
  const lines: Line[] = [];
  for (const [, line = "", ending = ""] of text.matchAll(/([^\n]*?)(\r?\n|$)/gu)) {
    if (line === "" && ending === "") continue;
    lines.push({ text: line, ending: ending === "" ? "" : ending === "\n" ? "\n" : "\r\n" });
  }
  return lines;
}
