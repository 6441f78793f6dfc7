import { escapeHiddenText } from "@aiw/core";

export { toOneLine as showName } from "@aiw/core";

/** A name as a JSON string that can be used as an argument, with what is not seen escaped. */
export function quoteName(name: string): string {
  return escapeQuoted(JSON.stringify(name));
}

/** Escapes what is not seen in a text of JSON strings, so that they still say the same. */
export function escapeQuoted(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/gu, (character) =>
    escapeHiddenText(character) === character ? character : toUnits(character),
  );
}

function toUnits(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => String.raw`\u` + character.charCodeAt(index).toString(16).padStart(4, "0"),
  ).join("");
}
