import { styleText } from "node:util";

/** Ways a piece of text may look. */
export type Look = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

/** Gives text a look, or leaves it plain where colours are not wanted. */
export type Paint = (look: Look, text: string) => string;

/** Colours only what a terminal shows, and not when `NO_COLOR` is set. */
export function createPaint(isTerminal: boolean, noColor: string | undefined): Paint {
  if (!isTerminal || (noColor !== undefined && noColor !== "")) return (_look, text) => text;
  return (look, text) => styleText(look, text, { validateStream: false });
}

/** Escape sequences of terminals: they could hide, fake or erase what is shown. */
const SEQUENCE = /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]{0,4096}(?:\u0007|\u001B\\)?|[ -/]*[0-~])?/gu;

/** What is left of control characters, and marks that turn the direction of text. */
const CONTROL = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** Takes out of foreign text what a terminal would obey instead of show. */
export function toPlainText(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll(SEQUENCE, "").replaceAll(CONTROL, "");
}
