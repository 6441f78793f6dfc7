import { escapeHiddenText } from "./hidden-text.ts";

const BREAKS: ReadonlyMap<string, string> = new Map([
  ["\n", String.raw`\n`],
  ["\r", String.raw`\r`],
  ["\t", String.raw`\t`],
]);

/** A name, or a sentence with names, on one line: what breaks lines or is not seen is escaped, so that no name forges text around it. */
export function toOneLine(text: string): string {
  return escapeHiddenText(text).replaceAll(/[\n\r\t]/gu, (character) => BREAKS.get(character) ?? "");
}
