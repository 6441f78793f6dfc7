/**
 * Characters a reader does not see but a model does: control, format, private, unassigned, separators, default-ignorable,
 * and blank Braille. Line breaks and tabs are text. Source: SEC-META-1.
 */
const HIDDEN = String.raw`[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]`;
const PLAIN = /^[\t\n\r\x20-\x7e]*$/;
const UNUSUAL_ESCAPE = /\\[^"\\/nrt]/;
const VISIBLE_CONTROL = new Set(["\n", "\r", "\t"]);

let hidden: RegExp | undefined;
let emojiSequence: RegExp | undefined;

/** True for printable ASCII with line breaks and tabs, which hides nothing. */
export function isPlainText(text: string): boolean {
  return PLAIN.test(text);
}

/** True for JSON whose texts hide nothing: printable ASCII, escaping at most quotes, slashes, line breaks and tabs. */
export function isPlainJson(json: string): boolean {
  return PLAIN.test(json) && !UNUSUAL_ESCAPE.test(json);
}

/** Finds the hidden characters of a text; emoji sequences pass. */
export function findHiddenText(text: string): string[] {
  if (PLAIN.test(text) || hiddenIn(text).length === 0) return [];
  return hiddenIn(text.replace(emojiSequences(), ""));
}

/** Made when it is first needed: a literal would be read at every start, which costs about a millisecond. */
function hiddenCharacters(): RegExp {
  hidden ??= new RegExp(HIDDEN, "gu");
  return hidden;
}

/** Made when it is first needed: a literal would cost every start many milliseconds, and few texts have emoji. */
function emojiSequences(): RegExp {
  emojiSequence ??= new RegExp(String.raw`\p{RGI_Emoji}`, "gv");
  return emojiSequence;
}

function hiddenIn(text: string): string[] {
  return (text.match(hiddenCharacters()) ?? []).filter((character) => !VISIBLE_CONTROL.has(character));
}

/** Replaces hidden characters by `\u{…}`, for people; emoji sequences pass. */
export function escapeHiddenText(text: string): string {
  if (PLAIN.test(text) || hiddenIn(text).length === 0) return text;
  let escaped = "";
  let end = 0;
  for (const { 0: emoji, index } of text.matchAll(emojiSequences())) {
    escaped += escapeHidden(text.slice(end, index)) + emoji;
    end = index + emoji.length;
  }
  return escaped + escapeHidden(text.slice(end));
}

function escapeHidden(text: string): string {
  return text.replace(hiddenCharacters(), (character) =>
    VISIBLE_CONTROL.has(character) ? character : `\\u{${character.codePointAt(0)?.toString(16) ?? ""}}`,
  );
}
