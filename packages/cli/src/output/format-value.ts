import { escapeHiddenText, type Json, type JsonObject } from "@aiw/core";
import { paintDiff, type Paint } from "@aiw/executor/node";

/** How a value is shown. */
export interface ValueLook {
  readonly paint: Paint;
  /** Characters of a line that holds several small things; no text is cut or broken for it. */
  readonly width: number;
}

/**
 * A value for people at a terminal: a member on each line, text of several lines as a block below its name, small things side by
 * side, nothing for what is empty; nothing in it can move the cursor or hide.
 */
export function formatValue(value: Json, look: ValueLook): string {
  if (typeof value === "string") return paintText(toText(value), look.paint);
  return toLines(value, look).join("\n");
}

function toLines(value: Json, look: ValueLook): string[] {
  const inside = { ...look, width: look.width - INDENT.length };
  if (Array.isArray(value) && value.length > 0) return value.flatMap((item) => toItem(item, inside));
  if (!isObject(value) || isEmpty(value)) return [toInline(value, look.width) ?? toPlain(JSON.stringify(value))];
  return membersOf(value).flatMap(([name, member]) => {
    const inline = toInline(member, look.width - name.length - 2);
    if (inline !== undefined) return [`${look.paint("cyan", `${name}:`)} ${inline}`];
    const isText = typeof member === "string";
    const below = isText ? paintText(toText(member), look.paint).split("\n") : toLines(member, inside);
    return [look.paint("cyan", isText ? `${name}: |` : `${name}:`), ...indent(below)];
  });
}

const INDENT = "  ";

/** Blank lines stay blank. */
function indent(lines: readonly string[]): string[] {
  return lines.map((line) => (line === "" ? "" : INDENT + line));
}

function toItem(item: Json, look: ValueLook): string[] {
  const [first = "", ...more] =
    typeof item === "string"
      ? paintText(toText(item), look.paint).split("\n")
      : (toRow(item, look) ?? toLines(item, look));
  return [`- ${first}`, ...indent(more)];
}

/** Few small things as one line. */
function toRow(item: Json, { paint, width }: ValueLook): string[] | undefined {
  const list = Array.isArray(item) ? toInline(item, width) : undefined;
  if (list !== undefined) return [list];
  if (!isObject(item) || isEmpty(item)) return undefined;
  const cells: string[] = [];
  let length = 0;
  for (const [name, member] of membersOf(item)) {
    const inline = typeof member === "object" ? undefined : toInline(member, width);
    if (inline === undefined || inline.includes(SEPARATOR)) return undefined;
    length += name.length + 2 + inline.length + SEPARATOR.length;
    cells.push(`${paint("cyan", `${name}:`)} ${inline}`);
  }
  return length - SEPARATOR.length > width ? undefined : [cells.join(SEPARATOR)];
}

const SEPARATOR = ", ";

/** What fits behind a name; one text is let be however long it is. */
function toInline(value: Json, width: number): string | undefined {
  if (typeof value === "string") {
    const text = toText(value);
    return text.includes("\n") ? undefined : text;
  }
  if (!Array.isArray(value)) return isObject(value) ? undefined : String(value);
  if (value.length === 0) return undefined;
  const items: string[] = [];
  for (const item of value) {
    const inline = typeof item === "object" ? undefined : toInline(item, width);
    if (inline === undefined || (value.length > 1 && inline.includes(SEPARATOR))) return undefined;
    items.push(inline);
  }
  const line = items.join(SEPARATOR);
  return line.length > width ? undefined : line;
}

function membersOf(value: JsonObject): (readonly [string, Json])[] {
  return Object.entries(value).flatMap(([name, member]) =>
    isEmpty(member) ? [] : [[toPlain(name).replaceAll("\n", "\\n"), member] as const],
  );
}

function isEmpty(value: Json): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isObject(value)) return Object.values(value).every((member) => isEmpty(member));
  return value === null || value === "";
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The end of the last line is the line's own; text of white space alone would not be seen. */
function toText(text: string): string {
  return text.trim() === "" ? toPlain(JSON.stringify(text)) : toPlain(text).replace(/\n$/u, "");
}

/** Carriage returns that end no line would let what follows hide what was there. */
function toPlain(text: string): string {
  return escapeHiddenText(text.replaceAll("\r\n", "\n")).replaceAll("\r", "\\r");
}

const DIFF = /^--- .+\n\+\+\+ .+\n@@ /u;

/** The lines of a diff in colours, other text as it is. */
function paintText(text: string, paint: Paint): string {
  if (!DIFF.test(text)) return text;
  return paintDiff(paint, text.split("\n")).join("\n");
}
