import { isInOrder } from "../../schema/canonical-json.ts";
import { UNSEEN } from "./serialize-lock.ts";

/** Whole numbers beyond those that are exact have so many digits; a hash that has them by chance costs a closer look. */
const LONG_NUMBER = /\d{16}/;

/**
 * True for a text that surely is what a lock's writer makes of its value: an engine writes the same bytes, and neither order nor
 * escapes, which it does not care for, leave anything to judge. False says nothing.
 */
export function isWrittenInOrder(text: string, value: unknown): boolean {
  if (text.includes("\\u") || LONG_NUMBER.test(text) || text.search(UNSEEN) !== -1) return false;
  // In this order: no engine writes what nests too deeply.
  return isInOrder(value) && isLine(text, JSON.stringify(value, undefined, 2));
}

/** True for a line and its end; joining the two would copy what may be long. */
function isLine(text: string, line: string): boolean {
  return text.length === line.length + 1 && text.startsWith(line) && text.endsWith("\n");
}
