import { quoteName, escapeQuoted } from "./show-name.ts";

/** A call longer than this is not spelt out again: its texts are known to whoever made it. */
const LONGEST_CALL = 1000;

/** Spells a call of `edit` with one edit, or says how to change the call that was made where that is too long. */
export function spellEdit(
  shown: string,
  { edit, match, otherwise }: { readonly edit: object; readonly match?: string; readonly otherwise: string },
): string {
  const how = match === undefined ? "" : `, match=${JSON.stringify(match)}`;
  const call = escapeQuoted(`edit(path=${quoteName(shown)}, edits=[${JSON.stringify(edit)}]${how})`);
  return call.length > LONGEST_CALL ? otherwise : call;
}

/** Spells a call of `write` that gives a file its first text, or names it where the text is long. */
export function spellFirstWrite(
  shown: string,
  { text, exists }: { readonly text: string | undefined; readonly exists: boolean },
): string {
  const mode = exists ? ', mode="overwrite"' : "";
  const call = escapeQuoted(`write(path=${quoteName(shown)}, content=${JSON.stringify(text ?? "")}${mode})`);
  return text === undefined || call.length > LONGEST_CALL
    ? `A call of write with path=${quoteName(shown)}${mode} and the new text as content`
    : call;
}

/** Gives a call as it was spelt, or says how to change the one that was made where that is too long. */
export function boundCall(call: string, otherwise: string): string {
  return call.length > LONGEST_CALL ? otherwise : call;
}
