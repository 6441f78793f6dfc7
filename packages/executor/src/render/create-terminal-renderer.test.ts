import type { ActivityEvent, ActivityEventData, ActivityEventType, CallRecord, ToolFailure } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { createPaint } from "./paint.ts";
import { createTerminalRenderer, showDuration } from "./create-terminal-renderer.ts";

const call: CallRecord = { callId: "1", toolId: "t/bash", toolName: "bash", startedAt: 0, durationMs: 5, attempts: 1 };

function event<Type extends ActivityEventType>(
  type: Type,
  data: ActivityEventData[Type],
  callId = "1",
  toolName = "bash",
): ActivityEvent {
  return { type, callId, timestamp: 0, data: { ...data, toolName, toolId: `t/${toolName}` } } as ActivityEvent;
}

function ended(preview: readonly string[] = []): ActivityEvent {
  return event("tool_call_end", {
    success: true,
    durationMs: 5,
    result: { success: true, status: "ok", error: "", value: 1, preview, call },
  });
}

function failed(failure: Partial<ToolFailure>): ActivityEvent {
  const result: ToolFailure = {
    success: false,
    status: "error",
    error: "bash(): no",
    error_type: "user_error",
    code: "failed",
    retryable: false,
    settled: true,
    preview: [],
    call,
    ...failure,
  };
  return event("error", { success: false, error: result.error, durationMs: 1500, result });
}

function render(events: readonly ActivityEvent[], isTerminal = false): string[] {
  const lines: string[] = [];
  const show = createTerminalRenderer({
    paint: createPaint(isTerminal, undefined),
    writeLine: (line) => lines.push(line),
  });
  for (const one of events) show(one);
  return lines;
}

describe("createTerminalRenderer", () => {
  it("passes the output of one call on as it comes, and leaves its frame to the host", () => {
    const written: string[] = [];
    const show = createTerminalRenderer({
      writeLine: (line) => written.push(`${line}\n`),
      writeOutput: (text) => written.push(text),
    });
    for (const one of [
      event("tool_call_start", { arguments: {} }),
      event("tool_output_chunk", { chunk: "a", channel: "stdout" }),
      event("tool_output_chunk", { chunk: "b\n", channel: "stdout" }),
      event("tool_retry", { attempt: 1, delayMs: 1500, code: "io_error" }),
      ended(),
    ])
      show(one);
    expect(written).toEqual(["a", "b\n", "again in 1.5 s after io_error\n"]);
  });

  it("shows a call from its start to its preview", () => {
    expect(
      render([event("tool_call_start", { arguments: { command: "ls\n-l", n: 1 } }), ended(["two\nlines", "more"])]),
    ).toEqual(['> bash(command="ls\\n-l", n=1)', "  ok bash 5 ms", "     two", "     lines", "     more"]);
  });

  it("shows repaired arguments, calls that repeat themselves, and retries", () => {
    const lines = render([
      event("tool_arguments_repaired", { repairs: [], arguments: { n: 1 } }),
      event("tool_call_repeated", { earlierCallId: "0", times: 3, blocked: true }),
      event("tool_retry", { attempt: 1, delayMs: 20, code: "io_error" }),
    ]);
    expect(lines).toEqual([
      "  repaired the arguments of bash: (n=1)",
      "  same again: bash, 3 times in a row, withheld",
      "  again in 20 ms after io_error",
    ]);
  });

  it("shows streamed output as whole lines, and no preview after it", () => {
    const start = event("tool_call_start", { arguments: {} });
    const chunks = ["a", "b\nc", "\nlast"].map((chunk) => event("tool_output_chunk", { chunk, channel: "stdout" }));
    expect(render([start, ...chunks, ended(["a b c"])])).toEqual([
      "> bash()",
      "  | ab",
      "  | c",
      "  | last",
      "  ok bash 5 ms",
    ]);
  });

  it("bounds lines and their number, and says how many it left out", () => {
    const chunk = `${"x".repeat(1000)}\n`.repeat(30);
    const lines = render([
      event("tool_call_start", { arguments: { text: "y".repeat(1000) } }),
      event("tool_output_chunk", { chunk, channel: "stdout" }),
      ended(),
    ]);
    expect(lines).toHaveLength(1 + 20 + 1 + 1);
    expect(lines).toContain("  | … 10 more lines");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(170);
  });

  it("keeps no endless line", () => {
    const chunks = Array.from({ length: 100 }, () =>
      event("tool_output_chunk", { chunk: "z".repeat(60_000), channel: "stdout" }),
    );
    const lines = render([event("tool_call_start", { arguments: {} }), ...chunks, ended()]);
    expect(lines.join("").length).toBeLessThan(400);
  });

  it("names the tool beside output while several calls run", () => {
    const lines = render([
      event("tool_call_start", { arguments: {} }, "1", "bash"),
      event("tool_call_start", { arguments: {} }, "2", "grep"),
      event("tool_output_chunk", { chunk: "one\n", channel: "stdout" }, "1", "bash"),
      event("tool_output_chunk", { chunk: "two\n", channel: "stdout" }, "2", "grep"),
    ]);
    expect(lines.slice(2)).toEqual(["  | bash one", "  | grep two"]);
  });

  it("tells a refusal from a failure, with the reason and what to do", () => {
    expect(
      render([
        failed({
          status: "denied",
          code: "approval_required",
          error: "bash(): nobody to ask",
          suggestion: "Add a rule.",
        }),
      ]),
    ).toEqual(["  refused bash approval_required, 1.5 s", "     bash(): nobody to ask", "     Add a rule."]);
    expect(render([failed({ status: "timed_out", code: "timeout" })])[0]).toBe("  timed out bash timeout, 1.5 s");
  });

  it("shows questions, answers, progress and repetitions", () => {
    expect(
      render([
        event("tool_approval_request", { arguments: {}, reason: "It may delete." }),
        event("tool_approval_decision", { decision: "deny", reason: "not that one" }),
        event("tool_approval_decision", { decision: "allow" }),
        event("tool_progress", { progress: 1, total: 4, message: "files" }),
        event("tool_progress", { progress: 7 }),
        event("tool_retry", { attempt: 1, delayMs: 200, code: "io_error" }),
      ]),
    ).toEqual([
      "  ? asks bash: It may delete.",
      "  ? denied bash: not that one",
      "  ? allowed bash",
      "  | bash 25 % files",
      "  | bash 7",
      "  again in 200 ms after io_error",
    ]);
  });

  it("lets no tool steer the terminal", () => {
    const lines = render(
      [
        event("tool_call_start", { arguments: { path: "\u202Egnp.exe" } }),
        event("tool_output_chunk", { chunk: "\u001B[2J\u001B]0;owned\u0007text\n", channel: "stdout" }),
        event("tool_retry", { attempt: 1, delayMs: 5, code: "\u001B[2Jbusy" }),
        failed({ error: "\u001B[1Abad", code: "\u001B[8modd" }),
      ],
      false,
    );
    expect(lines).toEqual([
      '> bash(path="gnp.exe")',
      "  | text",
      "  again in 5 ms after busy",
      "  failed bash odd, 1.5 s",
      "     bad",
    ]);
  });

  it("colours on a terminal", () => {
    expect(render([ended()], true)[0]).toContain("\u001B[32m");
  });
});

describe("showDuration", () => {
  it("writes milliseconds, then seconds", () => {
    expect([0.4, 999, 1000, 61_250].map(showDuration)).toEqual(["0 ms", "999 ms", "1.0 s", "61.3 s"]);
  });
});
