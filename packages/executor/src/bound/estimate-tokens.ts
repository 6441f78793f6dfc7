import { estimateTokenCount } from "tokenx";
import { hasAttachments } from "@aiw/core";

/** Runs of characters without words in them, which take far more tokens than words of their length. */
const DENSE = /[A-Za-z0-9+/=]{64,}/g;

/** Characters of such a run for one token. */
const DENSE_CHARACTERS = 2;

/** Estimates how many tokens a value of bounded size takes as JSON; media in `attachments` is not text. */
export function estimateTokens(value: unknown): number {
  let dense = 0;
  const words = toText(value).replaceAll(DENSE, (run) => {
    dense += run.length;
    return " ";
  });
  return estimateTokenCount(words) + Math.ceil(dense / DENSE_CHARACTERS);
}

function toText(value: unknown): string {
  if (!hasAttachments(value)) return toJson(value);
  const { attachments: _attachments, ...rest } = value;
  return toJson(rest);
}

function toJson(value: unknown): string {
  const text: string | undefined = JSON.stringify(value, (_key, member: unknown) =>
    typeof member === "bigint" || ArrayBuffer.isView(member) ? String(member) : member,
  );
  return text ?? "";
}
