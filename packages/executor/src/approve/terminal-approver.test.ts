import { PassThrough } from "node:stream";
import { describe, expect, it, vi } from "vitest";
import type { ApprovalRequest } from "../call/approver.ts";
import { describeRequest } from "./describe-request.ts";
import { toLegend } from "./terminal-choices.ts";
import { terminalApprover } from "./terminal-approver.ts";

const request: ApprovalRequest = {
  callId: "c",
  toolId: "@acme/tools/remove",
  toolName: "remove",
  title: "Remove a file",
  arguments: { path: "a.txt", force: true, lines: ["x", "y"] },
  reason: "The call may overwrite or delete what exists.",
  effects: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  resources: ["file:a.txt"],
  definitionHash: "sha256-x",
  cwd: "/home/me",
};

function terminal(isTTY = true, yesOrNo = true) {
  const input = Object.assign(new PassThrough(), { isTTY });
  const output = new PassThrough();
  let shown = "";
  output.on("data", (chunk: Buffer) => {
    shown += chunk.toString();
  });
  return { input, output, shown: () => shown, approver: terminalApprover({ input, output, yesOrNo }) };
}

const live = { signal: new AbortController().signal };

describe("terminalApprover", () => {
  it.each([
    ["y", "allow"],
    ["YES", "allow"],
    ["", "deny"],
    ["n", "deny"],
    ["yellow", "deny"],
    ["yes please", "deny"],
  ])("takes %j as %s", async (typed, decision) => {
    const { input, approver, shown } = terminal();
    const answer = approver(request, live);
    await vi.waitFor(() => expect(shown()).toContain("[y/N]"));
    input.write(`${typed}\n`);
    expect(await answer).toMatchObject({ decision });
  });

  it("shows what comes line by line, and nothing of it hides or breaks out of its line", () => {
    const preview = ["--- a.txt", "+\tx", "+y\u001b[2K\u202e\r\n  touches nothing"];
    expect(describeRequest({ ...request, preview })).toContain(
      "\n  and would do:\n    | --- a.txt\n    | +\tx\n    | +y\\u{1b}[2K\\u{202e}\\r\\n  touches nothing\n",
    );
  });

  it("shows a diff in colours, also lines that begin like names of files", () => {
    const preview = ["--- a.lua", "+++ a.lua", "@@ -1 +1 @@", "--- old comment", "+new", " kept"];
    const shown = describeRequest({ ...request, preview }, { paint: (look, text) => `<${look}>${text}</>` });
    expect(shown.split("\n").filter((line) => line.startsWith("    | "))).toEqual([
      "    | <bold>--- a.lua</>",
      "    | <bold>+++ a.lua</>",
      "    | <cyan>@@ -1 +1 @@</>",
      "    | <red>--- old comment</>",
      "    | <green>+new</>",
      "    |  kept",
    ]);
  });

  it("asks nobody where there is no terminal", async () => {
    const { approver, shown } = terminal(false);
    expect(await approver(request, live)).toMatchObject({
      decision: "deny",
      reason: expect.stringContaining("terminal"),
    });
    expect(shown()).toBe("");
  });

  it("asks one question at a time", async () => {
    const { input, approver, shown } = terminal();
    const first = approver(request, live);
    const second = approver({ ...request, arguments: { path: "b.txt" } }, live);
    await vi.waitFor(() => expect(shown()).toContain("[y/N]"));
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(shown()).not.toContain("b.txt");
    input.write("y\n");
    expect(await first).toEqual({ decision: "allow" });
    await vi.waitFor(() => expect(shown()).toContain("b.txt"));
    input.write("n\n");
    expect(await second).toMatchObject({ decision: "deny" });
  });

  it("closes the question on abort, and skips one whose call is over", async () => {
    const { input, approver, shown } = terminal();
    const stop = new AbortController();
    const first = approver(request, { signal: stop.signal });
    const second = approver({ ...request, arguments: { path: "b.txt" } }, { signal: stop.signal });
    await vi.waitFor(() => expect(shown()).toContain("[y/N]"));
    stop.abort();
    expect(await first).toMatchObject({ decision: "deny" });
    expect(await second).toMatchObject({ decision: "deny" });
    expect(shown()).not.toContain("b.txt");
    expect(input.listenerCount("data")).toBe(0);
  });

  it("takes nothing for an answer that was typed before its question was shown", async () => {
    const { input, approver, shown } = terminal();
    input.write("y\ny\n");
    const answers = [approver(request, live), approver({ ...request, arguments: { path: "b.txt" } }, live)];
    for (const asked of ["a.txt", "b.txt"]) {
      await vi.waitFor(() => expect(shown()).toMatch(new RegExp(`${asked}[^]*\\[y/N\\]`)));
      input.write("n\n");
    }
    for (const answer of answers)
      expect(await answer).toMatchObject({ decision: "deny", reason: "The person said no." });
  });

  it("takes an interrupt pressed early, and input that has ended before, as a no", async () => {
    const { input, approver } = terminal();
    input.write("\u0003");
    expect(await approver(request, live)).toMatchObject({ decision: "deny" });
    input.end();
    await approver(request, live);
    expect(await approver(request, live)).toMatchObject({ decision: "deny" });
  });

  it("takes the end of the input as a no", async () => {
    const { input, approver, shown } = terminal();
    const answer = approver(request, live);
    await vi.waitFor(() => expect(shown()).toContain("[y/N]"));
    input.end();
    expect(await answer).toMatchObject({ decision: "deny" });
  });
});

describe("terminalApprover with all choices", () => {
  const choices = (["once", "turn", "session", "rule"] as const).map((scope) => ({ scope, covers: scope }));
  const asking: ApprovalRequest = { ...request, choices };

  /** Types each line when its prompt stands there. */
  async function answerBy(
    lines: readonly (readonly [prompt: string, line: string])[],
    given: ApprovalRequest = asking,
  ) {
    const { input, approver, shown } = terminal(true, false);
    const answer = approver(given, live);
    let seen = 0;
    for (const [prompt, line] of lines) {
      await vi.waitFor(() => expect(shown().slice(seen)).toContain(prompt));
      seen = shown().length;
      input.write(`${line}\n`);
    }
    return { answer: await answer, shown: shown() };
  }

  it.each([
    ["y", { decision: "allow" }],
    ["once", { decision: "allow" }],
    ["T", { decision: "allow", remember: "turn" }],
    ["session", { decision: "allow", remember: "session" }],
    ["n", { decision: "deny", reason: "The person said no." }],
    ["n not this file", { decision: "deny", reason: "not this file" }],
    ["no, wait", { decision: "deny", reason: "wait" }],
    ["ts", { decision: "deny", reason: "The person said no." }],
    ["always", { decision: "deny", reason: "The person said no." }],
    ["", { decision: "deny", reason: "The person said no." }],
  ])("takes %j as %j", async (line, expected) => {
    expect((await answerBy([["[y/t/s/r/e/N]", line]])).answer).toEqual(expected);
  });

  it("says what the letters mean, and offers those alone that count", async () => {
    const all = await answerBy([["/N]", "n"]]);
    expect(all.shown).toContain(
      "  y: once   t: this turn   s: this session   r: by arguments you name   e: edit first   n: no",
    );
    expect(toLegend(["y", "t", "s", "r", "e"], 30).split("\n")).toEqual([
      "  y: once   t: this turn",
      "  s: this session",
      "  r: by arguments you name",
      "  e: edit first",
      "  n: no, or n and why",
    ]);
    const few = await answerBy([["/N]", "t"]], { ...request, arguments: {}, choices: choices.slice(0, 1) });
    expect(few.shown).toContain("Allow this call? [y/N] ");
    expect(few.answer).toMatchObject({ decision: "deny" });
  });

  it("takes an edit, shows it, and asks again", async () => {
    const { answer, shown } = await answerBy([
      ["/N]", "e"],
      ["JSON", "{broken"],
      ["no JSON object", "e"],
      ["JSON", '{"path":"b\\u202Etxt"}'],
      ["/N]", "t"],
    ]);
    expect(answer).toEqual({ decision: "allow", input: { path: "b\u202Etxt" }, remember: "turn" });
    expect(shown).toContain('Changed to:\n  path: "b\\u{202e}txt"\n');
    expect(shown).not.toContain("\u202E");
  });

  it("leaves the arguments as they were where nothing was written", async () => {
    const { answer } = await answerBy([
      ["/N]", "e"],
      ["JSON", ""],
      ["/N]", "y"],
    ]);
    expect(answer).toEqual({ decision: "allow" });
  });

  it("takes the names of arguments for a rule, all of them known", async () => {
    const { answer } = await answerBy([
      ["/N]", "r"],
      ["(path, force, lines)", "path, other"],
      ["Name some of", "r"],
      ["must stay", "path, force"],
    ]);
    expect(answer).toEqual({ decision: "allow", remember: { rule: { parameters: ["path", "force"] } } });
    const none = await answerBy([
      ["/N]", "r"],
      ["must stay", ""],
      ["/N]", "n"],
    ]);
    expect(none.answer).toMatchObject({ decision: "deny" });
  });

  it("takes a question that is closed half way for nobody's answer", async () => {
    const { input, approver, shown } = terminal(true, false);
    const answer = approver(asking, live);
    await vi.waitFor(() => expect(shown()).toContain("/N]"));
    input.write("e\n");
    await vi.waitFor(() => expect(shown()).toContain("JSON"));
    input.end();
    expect(await answer).toMatchObject({ decision: "deny", unasked: true });
  });
});

describe("describeRequest", () => {
  it("shows the tool, why it asks, every argument, and where", () => {
    expect(describeRequest(request)).toBe(
      [
        "",
        "Remove a file (@acme/tools/remove) wants to run: The call may overwrite or delete what exists.",
        '  path: "a.txt"',
        "  force: true",
        '  lines: ["x","y"]',
        "  touches file:a.txt",
        "  in /home/me",
        "",
      ].join("\n"),
    );
  });

  it("breaks between words why it asks, where the width is known, and no argument", () => {
    const long = { ...request, arguments: { command: "word ".repeat(30) } };
    const [, first = "", second = "", ...others] = describeRequest(long, { width: 60 }).split("\n");
    expect(first).toBe("Remove a file (@acme/tools/remove) wants to run: The call");
    expect(second).toBe("      may overwrite or delete what exists.");
    expect(others[0]).toBe(`  command: "${"word ".repeat(30)}"`);
  });

  it("lets no text move the cursor, hide, or pass for another line", () => {
    const hostile = "a\u001B[2K\r\u202Eb\u200B";
    const text = describeRequest({
      ...request,
      title: hostile,
      reason: `${hostile}\nAllow this call? [y/N] y`,
      arguments: { [hostile]: hostile, more: `one\ntwo\r${hostile}` },
      resources: [`x\n${hostile}`],
      cwd: hostile,
    });
    expect(text).not.toMatch(/[\u001B\r\u202E\u200B]/);
    expect(text.split("\n").filter((line) => /^\S/.test(line))).toHaveLength(1);
    expect(text).toContain("    | two\\r");
  });
});
