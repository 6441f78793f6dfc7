import type { ActivityEvent, ActivityEventOf } from "@aiw/core";
import { toPlainText, type Paint } from "./paint.ts";

/** Where lines go and how they look. */
export interface RenderOptions {
  readonly paint: Paint;
  /** Takes whole lines; an approver may be using the same terminal. */
  readonly writeLine: (line: string) => void;
}

/** What is known of a call while it runs. */
interface ShownCall {
  readonly name: string;
  /** The beginning of a line that has not ended yet. */
  rest: string;
  lines: number;
}

/** Lines of streamed output shown of one call. */
const MAX_OUTPUT_LINES = 20;

/** Characters of a line; terminals are narrower, logs are not. */
const MAX_LINE_LENGTH = 160;

/** Characters of arguments beside a tool's name. */
const MAX_ARGUMENTS_LENGTH = 100;

/** Lines of a refusal or failure. */
const MAX_ERROR_LINES = 6;

/** Makes a listener that shows each event as it happens, in whole lines; events of calls may interleave. */
export function createActivityRenderer({ paint, writeLine }: RenderOptions): (event: ActivityEvent) => void {
  const calls = new Map<string, ShownCall>();
  const write = (line: string): void => writeLine(line.trimEnd());

  function showOutput(call: ShownCall, text: string): void {
    const lines = (call.rest + text).split("\n");
    call.rest = lines.pop() ?? "";
    for (const line of lines) showOutputLine(call, line);
    // A line that never ends must not be kept for ever.
    if (call.rest.length > 10 * MAX_LINE_LENGTH) call.rest = call.rest.slice(0, 10 * MAX_LINE_LENGTH);
  }

  function showOutputLine(call: ShownCall, line: string): void {
    call.lines += 1;
    if (call.lines > MAX_OUTPUT_LINES) return;
    const owner = calls.size > 1 ? `${call.name} ` : "";
    write(paint("dim", `  | ${owner}${cut(toPlainText(line), MAX_LINE_LENGTH)}`));
  }

  function endOutput(call: ShownCall): void {
    if (call.rest !== "") showOutputLine(call, call.rest);
    call.rest = "";
    const hidden = call.lines - MAX_OUTPUT_LINES;
    if (hidden > 0) write(paint("dim", `  | … ${hidden} more ${hidden === 1 ? "line" : "lines"}`));
  }

  function showEnd(event: ActivityEventOf<"tool_call_end">, streamed: boolean): void {
    const { toolName, durationMs, result } = event.data;
    write(`${paint("green", "  ok")} ${toolName} ${paint("dim", showDuration(durationMs))}`);
    if (streamed) return;
    for (const line of result.preview.flatMap((text) => text.split("\n"))) write(paint("dim", `     ${cut(toPlainText(line), MAX_LINE_LENGTH)}`));
  }

  function showError(event: ActivityEventOf<"error">): void {
    const { toolName, durationMs, result } = event.data;
    const word = result.status === "denied" ? paint("yellow", "  refused") : paint("red", `  ${result.status === "error" ? "failed" : result.status.replaceAll("_", " ")}`);
    write(`${word} ${toolName} ${paint("dim", `${result.code}, ${showDuration(durationMs)}`)}`);
    const said = [result.error, result.suggestion ?? ""].flatMap((text) => toPlainText(text).split("\n")).filter((line) => line.trim() !== "");
    for (const line of said.slice(0, MAX_ERROR_LINES)) write(paint("dim", `     ${cut(line, 2 * MAX_LINE_LENGTH)}`));
  }

  return (event) => {
    const call = calls.get(event.callId) ?? { name: event.data.toolName, rest: "", lines: 0 };
    switch (event.type) {
      case "tool_call_start":
        calls.set(event.callId, call);
        return write(`${paint("cyan", ">")} ${paint("bold", call.name)}${paint("dim", showArguments(event.data.arguments))}`);
      case "tool_output_chunk":
        return showOutput(call, event.data.chunk);
      case "tool_progress":
        return write(paint("dim", `  | ${call.name} ${showProgress(event)}`));
      case "tool_approval_request":
        return write(`${paint("yellow", "  ? asks")} ${call.name}: ${cut(toPlainText(event.data.reason), MAX_LINE_LENGTH)}`);
      case "tool_approval_decision": {
        const { decision, reason } = event.data;
        const word = decision === "allow" ? paint("green", "  ? allowed") : paint("yellow", "  ? denied");
        return write(`${word} ${call.name}${reason === undefined ? "" : `: ${cut(toPlainText(reason), MAX_LINE_LENGTH)}`}`);
      }
      case "tool_retry":
        return write(paint("yellow", `  again in ${showDuration(event.data.delayMs)} after ${event.data.code}`));
      case "tool_call_end":
      case "error":
        endOutput(call);
        calls.delete(event.callId);
        return event.type === "error" ? showError(event) : showEnd(event, call.lines > 0);
    }
  };
}

/** Milliseconds in the unit people read. */
export function showDuration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function showProgress({ data: { progress, total, message } }: ActivityEventOf<"tool_progress">): string {
  const share = total === undefined || total <= 0 ? String(progress) : `${Math.round((100 * progress) / total)} %`;
  return message === undefined ? share : `${share} ${cut(toPlainText(message), MAX_LINE_LENGTH)}`;
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

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
