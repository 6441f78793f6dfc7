import { oneLine } from "./one-line.ts";

/** Characters of foreign text that one remark repeats. */
const MAX_SHOWN = 300;

/** Foreign text as part of a remark: one line, nothing hidden, bounded. */
export function toShown(text: string): string {
  return oneLine(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);
}
