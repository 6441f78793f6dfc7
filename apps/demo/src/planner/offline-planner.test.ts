import { dynamicTool, generateText, isStepCount, jsonSchema, streamText, ToolLoopAgent } from "ai";
import { describe, expect, it } from "vitest";

import { fakeWorkspace } from "./__fixtures__/fake-workspace.ts";
import { createOfflinePlanner } from "./offline-planner.ts";

const files = {
  "README.md": "# thing\n\nA thing that does `makeThing`.\n",
  "package.json": '{"name":"thing-root","description":"All of thing.","scripts":{"test":"x"}}',
  "packages/core/package.json": '{"name":"@t/core","version":"1.0.0","description":"The core."}',
  "packages/web/package.json": '{"name":"@t/web","version":"2.0.0"}',
  "packages/core/src/make-thing.ts": "// makes\nexport function makeThing() {}\n",
};

const stopWhen = isStepCount(20);

describe("createOfflinePlanner", () => {
  it("works through a whole request with dependent calls and writes a report of what it found", async () => {
    const { tools, seen, files: store } = fakeWorkspace({ files, refused: ["/etc/aiw.txt"] });
    const prompt =
      'Look at this repository: what is it, which packages does it have, find where `makeThing` is defined, run `git status`, fetch the page at http://127.0.0.1:4000/, and write a report to scratch/report.md. Also try to write "x" to /etc/aiw.txt and run `rm -rf packages`.';
    const { text, finishReason, steps, totalUsage } = await generateText({
      model: createOfflinePlanner(),
      tools,
      prompt,
      stopWhen,
    });
    expect(finishReason).toBe("stop");
    expect(text).toContain("not by a language model");
    expect(text).toContain("thing-root: All of thing.");
    expect(text).toContain("packages/core/src/make-thing.ts:2");
    expect(text).toContain("/etc/aiw.txt is outside the workspace roots");
    expect(text).toMatch(/rm -rf packages.*\(refused\).*needs approval/);
    expect(text).toContain("Wrote scratch/report.md");
    const report = store.get("scratch/report.md") ?? "";
    for (const fact of [
      "| @t/core | 1.0.0 | packages/core | The core. |",
      "On branch main",
      "Hello from the page",
      "outside the workspace roots",
      "export function makeThing",
    ]) {
      expect(report).toContain(fact);
    }
    expect(seen.map(({ name }) => name)).toContain("list");
    expect(
      seen.find(({ name, input }) => name === "read" && input["offset"] !== undefined)?.input["file_paths"],
    ).toEqual(["packages/core/src/make-thing.ts"]);
    expect(seen.at(-1)).toMatchObject({ name: "write", input: { path: "scratch/report.md" } });
    expect(steps.length).toBeLessThan(16);
    expect(totalUsage.totalTokens).toBeGreaterThan(0);
  });

  it("streams text and tool calls, the same each time", async () => {
    const run = async () => {
      const { tools } = fakeWorkspace({ files });
      const result = streamText({ model: createOfflinePlanner(), tools, prompt: "read package.json", stopWhen });
      const kinds: string[] = [];
      for await (const part of result.stream) kinds.push(part.type);
      return { kinds, text: await result.text, reason: await result.finishReason };
    };
    const first = await run();
    expect(first.kinds).toEqual(
      expect.arrayContaining([
        "text-start",
        "text-delta",
        "text-end",
        "tool-input-start",
        "tool-input-delta",
        "tool-input-end",
        "tool-call",
        "tool-result",
        "finish",
      ]),
    );
    expect(first).toMatchObject({ reason: "stop", text: expect.stringContaining("thing-root") as string });
    expect(await run()).toEqual(first);
  });

  it("runs inside an agent over several turns with call ids that never repeat", async () => {
    const { tools } = fakeWorkspace({ files });
    const agent = new ToolLoopAgent({ model: createOfflinePlanner(), tools, stopWhen });
    const first = await agent.generate({ prompt: "read package.json" });
    const second = await agent.generate({
      messages: [
        { role: "user", content: "read package.json" },
        ...first.responseMessages,
        { role: "user", content: "run `git status`" },
      ],
    });
    expect(second.text).toContain("On branch main");
    expect(second.text).not.toContain("thing-root");
    const ids = [...first.steps, ...second.steps].flatMap(({ toolCalls }) =>
      toolCalls.map(({ toolCallId }) => toolCallId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("follows the nearest name of a failed reading", async () => {
    const { tools, seen } = fakeWorkspace({ files });
    const { text } = await generateText({ model: createOfflinePlanner(), tools, prompt: "read readme.md", stopWhen });
    expect(seen.map(({ input }) => input["file_paths"])).toEqual([["readme.md"], ["README.md"]]);
    expect(text).toContain("File not found: readme.md");
    expect(text).toContain("A thing that does");
  });

  it("looks for a missing file elsewhere and reads it there", async () => {
    const { tools, seen } = fakeWorkspace({ files });
    const { text } = await generateText({
      model: createOfflinePlanner(),
      tools,
      prompt: "read make-thing.ts",
      stopWhen,
    });
    expect(seen.map(({ name }) => name)).toEqual(["read", "glob", "read"]);
    expect(text).toContain("export function makeThing");
  });

  it("broadens a search that finds nothing, and says when nothing helps", async () => {
    const { tools, seen } = fakeWorkspace({ files });
    const { text } = await generateText({
      model: createOfflinePlanner(),
      tools,
      prompt: "find where `nowhere` is defined",
      stopWhen,
    });
    expect(seen.map(({ name }) => name)).toEqual(["grep", "grep", "grep"]);
    expect(seen[2]?.input).toMatchObject({ case: "insensitive" });
    expect(text).toContain("Nothing contains nowhere");
  });

  it("answers a refused command that only looks with a tool that is allowed", async () => {
    const { tools, seen } = fakeWorkspace({ files });
    const { text } = await generateText({
      model: createOfflinePlanner(),
      tools,
      prompt: "run `cat package.json`",
      stopWhen,
    });
    expect(seen.map(({ name }) => name)).toEqual(["bash", "read"]);
    expect(text).toContain("nobody can answer");
    expect(text).toContain("`read` answered instead");
  });

  it("never replaces a file it was not asked to replace", async () => {
    const { tools, files: store } = fakeWorkspace({ files: { ...files, "out.md": "mine" } });
    await generateText({
      model: createOfflinePlanner(),
      tools,
      prompt: "search for makeThing in packages and write the result to out.md",
      stopWhen,
    });
    expect(store.get("out.md")).toBe("mine");
    expect(store.get("out-2.md")).toContain("makeThing");
  });

  it("reads a file before it replaces it as asked", async () => {
    const { tools, seen, files: store } = fakeWorkspace({ files: { "a.txt": "old" } });
    await generateText({
      model: createOfflinePlanner(),
      tools,
      prompt: 'write "new" to a.txt and overwrite it',
      stopWhen,
    });
    await generateText({
      model: createOfflinePlanner(),
      tools,
      prompt: 'write "new" to a.txt, overwriting it',
      stopWhen,
    });
    expect(store.get("a.txt")).toBe("new");
    expect(seen.some(({ name }) => name === "read")).toBe(true);
  });

  it("uses an installed tool it was never told about", async () => {
    const add = dynamicTool({
      description: "Adds two numbers.",
      inputSchema: jsonSchema({
        type: "object",
        properties: { a: { type: "number" }, b: { type: "number" } },
        required: ["a", "b"],
      }),
      execute: (input) => {
        const { a, b } = input as { a: number; b: number };
        return { success: true, error: "", value: a + b };
      },
    });
    for (const prompt of ["add 2 and 40", "what is 2 + 40?", "use the `add` tool with 2 and 40"]) {
      const { tools } = fakeWorkspace({ files, extra: { add } });
      const { text } = await generateText({ model: createOfflinePlanner(), tools, prompt, stopWhen });
      expect(text).toContain("`add` answered: 42");
    }
    const { tools } = fakeWorkspace({ files, extra: { add } });
    const { text } = await generateText({ model: createOfflinePlanner(), tools, prompt: "add 2", stopWhen });
    expect(text).toContain("does not say: b (number)");
  });

  it("says what it has and understands when nothing matches", async () => {
    const { tools, seen } = fakeWorkspace({ files });
    const { text } = await generateText({
      model: createOfflinePlanner(),
      tools,
      prompt: "sing a song about rain",
      stopWhen,
    });
    expect(seen).toEqual([]);
    expect(text).toContain("`grep`");
    expect(text).toContain("I understand sentences such as");
  });

  it("calls nothing that is not offered", async () => {
    const { text, steps } = await generateText({
      model: createOfflinePlanner(),
      prompt: "read a.ts and run `git status`",
      stopWhen,
    });
    expect(steps).toHaveLength(1);
    expect(text).toContain("No offered tool can read a file");
    expect(text).toContain("No offered tool can run a command");
  });

  it("stops when it is aborted, before and during a stream", async () => {
    const planner = createOfflinePlanner();
    const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text: "hello" }] }];
    await expect(planner.doGenerate({ prompt, abortSignal: AbortSignal.abort(new Error("stop")) })).rejects.toThrow(
      "stop",
    );
    const controller = new AbortController();
    const { stream } = await planner.doStream({ prompt, abortSignal: controller.signal });
    const reader = stream.getReader();
    await reader.read();
    controller.abort(new Error("stop now"));
    const drain = async () => {
      for (let part = await reader.read(); !part.done; part = await reader.read());
    };
    await expect(drain()).rejects.toThrow("stop now");
  });
});
