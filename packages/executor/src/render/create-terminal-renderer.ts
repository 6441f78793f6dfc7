import type { ActivityEvent, ActivityEventOf, ActivityListener } from "@aiw/core";
import { OutputLines } from "./output-lines.ts";
import { toPlainText, type Look, type Paint } from "./paint.ts";

/** Where lines go and how they look. */
export interface TerminalRendererOptions {
  /** Gives text a look; plain unless named. */
  readonly paint?: Paint;
  /** Takes whole lines; an approver may be using the same terminal. */
  readonly writeLine: (line: string) => void;
  /** Takes the output of tools as it comes, for a host that shows one call and its result by itself; lines in a frame unless named. */
  readonly writeOutput?: (text: string) => void;
}

/** Characters of a line; terminals are narrower, logs are not. */
const MAX_LINE_LENGTH = 160;

/** Characters of arguments beside a tool's name. */
const MAX_ARGUMENTS_LENGTH = 100;

/** Lines of a refusal or failure. */
const MAX_ERROR_LINES = 6;

/**
 * Makes a listener that shows each event as it happens, in whole lines; events of calls may interleave. Nothing in what
 * it shows can move the cursor or hide.
 */
export function createTerminalRenderer(options: TerminalRendererOptions): ActivityListener {
  const { paint = PLAIN, writeLine, writeOutput } = options;
  return writeOutput === undefined ? showCalls({ paint, writeLine }) : showOneCall({ paint, writeLine, writeOutput });
}

const PLAIN: Paint = (_look, text) => text;

type Shown = Required<Pick<TerminalRendererOptions, "paint" | "writeLine">>;

/** What a host that shows one call shows by itself: its beginning, its end, and the question whether it may run. */
const SHOWN_BY_HOST: ReadonlySet<ActivityEvent["type"]> = new Set([
  "tool_call_start",
  "tool_approval_request",
  "tool_approval_decision",
  "tool_call_end",
  "error",
]);

function showOneCall({ paint, writeLine, writeOutput }: Required<TerminalRendererOptions>): ActivityListener {
  // Nothing stands above a single call that lines would be indented under.
  const flush: Paint = (look, text) => paint(look, text.trimStart());
  return (event) => {
    if (event.type === "tool_output_chunk") return writeOutput(event.data.chunk);
    if (SHOWN_BY_HOST.has(event.type)) return undefined;
    for (const line of toLines(event, flush, true)) writeLine(line.trim());
  };
}

function showCalls({ paint, writeLine }: Shown): ActivityListener {
  const outputs = new Map<string, OutputLines>();
  const writeOutput = (name: string, lines: readonly string[]): void => {
    const owner = outputs.size > 1 ? `${name} ` : "";
    for (const line of lines) writeLine(paint("dim", `  | ${owner}${toShort(line)}`).trimEnd());
  };
  return (event) => {
    const { toolName } = event.data;
    const output = outputs.get(event.callId) ?? new OutputLines();
    if (event.type === "tool_output_chunk") return writeOutput(toolName, output.add(event.data.chunk));
    if (event.type === "tool_call_start") outputs.set(event.callId, output);
    const streamed = output.any;
    if (event.type === "tool_call_end" || event.type === "error") {
      writeOutput(toolName, output.end());
      outputs.delete(event.callId);
    }
    for (const line of toLines(event, paint, streamed)) writeLine(line.trimEnd());
  };
}

function toLines(
  event: Exclude<ActivityEvent, ActivityEventOf<"tool_output_chunk">>,
  paint: Paint,
  streamed: boolean,
): string[] {
  const { toolName } = event.data;
  switch (event.type) {
    case "tool_call_start":
      return [`${paint("cyan", ">")} ${paint("bold", toolName)}${paint("dim", showArguments(event.data.arguments))}`];
    case "tool_arguments_repaired":
      return [paint("yellow", `  repaired the arguments of ${toolName}: ${showArguments(event.data.arguments)}`)];
    case "tool_call_repeated":
      return [showRepeat(event, paint)];
    case "tool_progress":
      return [paint("dim", `  | ${toolName} ${showProgress(event)}`)];
    case "tool_approval_request":
      return [`${paint("yellow", "  ? asks")} ${toolName}: ${toShort(event.data.reason)}`];
    case "tool_approval_decision":
      return [showDecision(event, paint)];
    case "tool_retry":
      return [paint("yellow", `  again in ${showDuration(event.data.delayMs)} after ${toShort(event.data.code)}`)];
    case "tool_call_end":
      return showEnd(event, paint, streamed);
    case "error":
      return showError(event, paint);
  }
}

function showRepeat(
  { data: { toolName, times, blocked } }: ActivityEventOf<"tool_call_repeated">,
  paint: Paint,
): string {
  return paint("yellow", `  same again: ${toolName}, ${times} times in a row${blocked ? ", withheld" : ""}`);
}

function showDecision(
  { data: { toolName, decision, reason } }: ActivityEventOf<"tool_approval_decision">,
  paint: Paint,
): string {
  const word = decision === "allow" ? paint("green", "  ? allowed") : paint("yellow", "  ? denied");
  return `${word} ${toolName}${reason === undefined ? "" : `: ${toShort(reason)}`}`;
}

function showEnd({ data }: ActivityEventOf<"tool_call_end">, paint: Paint, streamed: boolean): string[] {
  const { toolName, durationMs, result } = data;
  // What was streamed has been seen; a preview would show it again.
  const preview = streamed ? [] : result.preview.flatMap((text) => text.split("\n"));
  const head = `${paint("green", "  ok")} ${toolName} ${paint("dim", showDuration(durationMs))}`;
  return [head, ...preview.map((line) => paint("dim", `     ${toShort(line)}`))];
}

function showError({ data }: ActivityEventOf<"error">, paint: Paint): string[] {
  const { toolName, durationMs, result } = data;
  const [look, word]: [Look, string] =
    result.status === "denied"
      ? ["yellow", "refused"]
      : ["red", result.status === "error" ? "failed" : result.status.replaceAll("_", " ")];
  const said = [result.error, result.suggestion ?? ""].flatMap((text) => toPlainText(text).split("\n"));
  const lines = said.filter((line) => line.trim() !== "").slice(0, MAX_ERROR_LINES);
  // A code that only says the status again is no news.
  const code = result.code === result.status ? "" : `${toShort(result.code)}, `;
  return [
    `${paint(look, `  ${word}`)} ${toolName} ${paint("dim", `${code}${showDuration(durationMs)}`)}`,
    ...lines.map((line) => paint("dim", `     ${cut(line, 2 * MAX_LINE_LENGTH)}`)),
  ];
}

/** Milliseconds in the unit people read. */
export function showDuration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function showProgress({ data: { progress, total, message } }: ActivityEventOf<"tool_progress">): string {
  const share = total === undefined || total <= 0 ? String(progress) : `${Math.round((100 * progress) / total)} %`;
  return message === undefined ? share : `${share} ${toShort(message)}`;
}

function showArguments(value: unknown): string {
  if (typeof value !== "object" || value === null) return "()";
  const shown = Object.entries(value).map(([name, argument]) => `${name}=${showArgument(argument)}`);
  return `(${cut(toPlainText(shown.join(", ")), MAX_ARGUMENTS_LENGTH)})`;
}

/** JSON escapes line breaks, so that arguments stay on one line. */
function showArgument(value: unknown): string {
  return cut(JSON.stringify(value) ?? "", MAX_ARGUMENTS_LENGTH);
}

function toShort(text: string): string {
  return cut(toPlainText(text), MAX_LINE_LENGTH);
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
