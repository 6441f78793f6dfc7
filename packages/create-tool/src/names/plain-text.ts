const MAX_LENGTH = 300;

/** Controls, format characters, tags, variation selectors, lone surrogates and private ones: nothing a person sees. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu;
/** All that JavaScript calls whitespace but U+FEFF, which nobody sees. */
const WHITESPACE = /[^\S\uFEFF]+/gu;

/** One line of visible text: whitespace becomes single spaces, hidden characters go. */
export function toPlainText(text: string): string {
  return text.replaceAll(WHITESPACE, " ").replaceAll(HIDDEN, "").replaceAll(/ +/g, " ").trim();
}

/** Says why a description is none; undefined for a good one. */
export function descriptionProblem(description: string): string | undefined {
  const plain = toPlainText(description);
  if (plain === "") return "A description needs visible text.";
  if (plain.length > MAX_LENGTH) return `A description has at most ${MAX_LENGTH} characters.`;
  return undefined;
}

/** Foreign text, such as a folder's name, on one line of a terminal, with what is hidden made visible. */
export function oneLine(text: string): string {
  return text.replaceAll(HIDDEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
