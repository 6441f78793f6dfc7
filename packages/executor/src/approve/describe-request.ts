import { escapeHiddenText, type JsonObject } from "@aiw/core";
import type { ApprovalRequest } from "../call/approver.ts";
import { paintDiff } from "../render/paint-diff.ts";
import type { Paint } from "../render/paint.ts";

/** The terminal that shows a request. */
export interface RequestLook {
  /** Columns of a line. */
  readonly width?: number | undefined;
  readonly paint?: Paint;
}

const PLAIN: Paint = (_look, text) => text;

/**
 * Shows all that will run, one argument after another; nothing in it can move the cursor or hide. Why it asks is broken between words
 * where the width is known; arguments stay as they are, so that no break in them is ours.
 */
export function describeRequest(
  { toolId, title, reason, arguments: input, resources, preview = [], cwd }: ApprovalRequest,
  { width = Infinity, paint = PLAIN }: RequestLook = {},
): string {
  const head = `${oneLine(title === undefined ? toolId : `${title} (${toolId})`)} wants to run: ${oneLine(reason)}`;
  const lines = [
    `\n${breakLine(head, width)}`,
    ...describeArguments(input),
    ...resources.map((resource) => `  touches ${oneLine(resource)}`),
    ...(cwd === undefined ? [] : [`  in ${oneLine(cwd)}`]),
    ...(preview.length === 0
      ? []
      : ["  and would do:", ...paintDiff(paint, preview.map(keepLine)).map((line) => `    | ${line}`)]),
  ];
  return `${lines.join("\n")}\n`;
}

/** One line for each argument, or more where its text has more. */
export function describeArguments(input: JsonObject): readonly string[] {
  return Object.entries(input).map(([name, value]) => `  ${oneLine(name)}: ${showValue(value)}`);
}

/** What goes on below stands deeper than arguments do, and cannot pass for one. */
function breakLine(text: string, width: number): string {
  const [first = "", ...words] = text.split(" ");
  const lines = [first];
  for (const word of words) {
    const line = lines.at(-1) ?? "";
    if (line.length + 1 + word.length > width) lines.push(`${DEEPER}${word}`);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines.join("\n");
}

const DEEPER = "      ";

function showValue(value: unknown): string {
  if (typeof value !== "string") return oneLine(JSON.stringify(value));
  const text = escapeHiddenText(value).replaceAll("\r", "\\r");
  return text.includes("\n")
    ? text
        .split("\n")
        .map((line) => `\n    | ${line}`)
        .join("")
    : `"${text}"`;
}

/** Text of a line as it is, but for what would break or hide it. */
function keepLine(text: string): string {
  return escapeHiddenText(text).replaceAll("\r", "\\r").replaceAll("\n", "\\n");
}

/** Text that stays in its line and hides nothing. */
export function oneLine(text: string): string {
  return escapeHiddenText(text).replaceAll(/[\r\n\t]+/g, " ");
}
