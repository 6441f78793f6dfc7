import { escapeHiddenText } from "@aiw/core";

/** Text of a package or folder name that cannot pass for more than one line, wherever it is printed. */
export function oneLine(text: string): string {
  return escapeHiddenText(text).replaceAll(/[\n\r\t]+/g, " ");
}
