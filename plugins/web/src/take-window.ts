import { webError } from "./errors.ts";

/** Part of a text. */
export interface TextWindow {
  readonly content: string;
  readonly totalChars: number;
  /** Where the rest starts; absent at the end. */
  readonly nextIndex?: number;
}

/**
 * Takes at most `maxChars` UTF-16 units from `startIndex` without parting a surrogate pair; windows put together are the text.
 * @throws ToolError `offset_out_of_range`.
 */
export function takeWindow(text: string, startIndex: number, maxChars: number): TextWindow {
  if (startIndex > 0 && startIndex >= text.length) {
    throw webError(
      "offset_out_of_range",
      `start_index: ${startIndex} is past the end; the content has ${text.length} characters.`,
      {
        suggestion: `Use a start_index between 0 and ${Math.max(text.length - 1, 0)}.`,
      },
    );
  }
  const start = isInsidePair(text, startIndex) ? startIndex - 1 : startIndex;
  let end = Math.min(start + maxChars, text.length);
  // One character too many beats a window that never advances.
  if (isInsidePair(text, end)) end = end - 1 > start ? end - 1 : end + 1;
  return { content: text.slice(start, end), totalChars: text.length, ...(end < text.length && { nextIndex: end }) };
}

function isInsidePair(text: string, index: number): boolean {
  return index > 0 && index < text.length && isHigh(text.charCodeAt(index - 1)) && isLow(text.charCodeAt(index));
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
