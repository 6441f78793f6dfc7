import { defineTool, toModelResult, type ActivityEvent, type ToolResult } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { makeExecutor } from "./__fixtures__/make-executor.ts";
import type { UnifiedToolExecutorOptions } from "./executor-options.ts";

const input = z.strictObject({
  names: z.array(z.string()),
  count: z.int().optional(),
  deep: z.boolean().optional(),
  label: z.string().optional(),
  pin: z.string().meta({ writeOnly: true }).optional(),
});

function makeTools(options: UnifiedToolExecutorOptions = {}) {
  const ran: unknown[] = [];
  const look = defineTool({
    name: "look",
    description: "Looks.",
    input,
    effects: "read",
    execute: (given) => void ran.push(given),
  });
  const wipe = defineTool({
    name: "wipe",
    description: "Wipes.",
    input,
    effects: "write",
    execute: (given) => void ran.push(given),
  });
  return { ran, ...makeExecutor([look, wipe], options) };
}

const asText = { inputFormat: "json_text" } as const;
const codeOf = (result: ToolResult): string => (result.success ? "ok" : result.code);
const repairsOf = (events: readonly ActivityEvent[]) => events.filter(({ type }) => type === "tool_arguments_repaired");

describe("UnifiedToolExecutor with arguments that need repair", () => {
  it("reads text that is nearly JSON for a call that only looks, and says so everywhere", async () => {
    const { executor, ran, events } = makeTools();
    const result = await executor.execute("look", "{'names': ['a',], \"pin\": 'hunter2'}", asText);
    expect(ran).toEqual([{ names: ["a"], pin: "hunter2" }]);
    const repair = { kind: "json_syntax", path: "", problem: expect.stringContaining("not valid JSON at character 2") };
    expect(result.call.repairs).toEqual([repair]);
    expect(toModelResult(result)["notices"]).toEqual([expect.stringContaining("The arguments were repaired")]);
    expect(events.map(({ type }) => type)).toEqual(["tool_call_start", "tool_arguments_repaired", "tool_call_end"]);
    expect(repairsOf(events)[0]?.data).toMatchObject({ repairs: [repair], arguments: { names: ["a"] } });
    expect(JSON.stringify(events)).not.toContain("hunter2");
  });

  it("decodes values that arrived as text where the schema wants another type", async () => {
    const { executor, ran, events } = makeTools();
    const result = await executor.execute("look", { names: '["a","b"]', count: "5", deep: "true", label: "5" });
    expect(ran).toEqual([{ names: ["a", "b"], count: 5, deep: true, label: "5" }]);
    expect(result.call.repairs?.map(({ path }) => path)).toEqual(["/count", "/deep", "/names"]);
    expect(repairsOf(events)).toHaveLength(1);
  });

  it.each<[string, Record<string, unknown>, string?]>([
    ["is no JSON", { names: "a, b" }],
    ["is JSON of another type than the schema wants", { names: '{"a":1}' }],
    ["is JSON of a text", { names: '"a"' }],
    ["would lose digits as a number", { names: [], count: "1.00000000000000000001" }, "count"],
    ["has a name twice", { names: [], label: '{"a":1,"a":2}', deep: '[true,{"a":1,"a":2}]' }, "deep"],
    ["stands beside what is wrong anyhow", { names: '["a"]', count: "five" }],
  ])("keeps the plain refusal of text that %s", async (_what, given, name = "names") => {
    const { executor, ran } = makeTools();
    const result = await executor.execute("look", given);
    expect(result).toMatchObject({ code: "invalid_input", error: expect.stringContaining(name) });
    expect(result.call.repairs).toBeUndefined();
    expect(ran).toEqual([]);
  });

  it("reads an object that was written as JSON once too often", async () => {
    const { executor, ran } = makeTools();
    await executor.execute("look", '{"names":["a"]}');
    await executor.execute("look", JSON.stringify('{"names":["b"]}'), asText);
    expect(ran).toEqual([{ names: ["a"] }, { names: ["b"] }]);
  });

  it("reads no object that was written as JSON once too often and has a name twice", async () => {
    const { executor, ran } = makeTools();
    expect(codeOf(await executor.execute("look", '{"names":["a"],"names":["b"]}'))).toBe("invalid_input");
    expect(ran).toEqual([]);
  });

  it("lets no guess change anything when nobody is asked about it", async () => {
    const rules = [{ match: { tool: "wipe" }, decision: "allow" }] as const;
    const { executor, ran } = makeTools({ rules });
    expect(await executor.execute("wipe", "{'names': ['a']}", asText)).toMatchObject({
      code: "invalid_input",
      error: expect.stringContaining("not valid JSON"),
    });
    expect((await executor.authorize("wipe", "{'names': ['a']}", asText)).decision).toBe("invalid");
    expect(ran).toEqual([]);
  });

  it("lets no guess change anything in a host that asks about nothing", async () => {
    const { executor, ran } = makeTools({ approvalMode: "never" });
    expect(codeOf(await executor.execute("wipe", "{names: ['a']}", asText))).toBe("invalid_input");
    expect(codeOf(await executor.execute("wipe", { names: '["a"]' }))).toBe("ok");
    expect(ran).toEqual([{ names: ["a"] }]);
  });

  it("shows a person the repaired arguments, and that they were repaired", async () => {
    const asked: unknown[] = [];
    const { executor, ran } = makeTools({
      approver: ({ arguments: shown, reason }) => {
        asked.push(shown, reason);
        return { decision: "allow" };
      },
    });
    expect(codeOf(await executor.execute("wipe", "{'names': ['a']}", asText))).toBe("ok");
    expect(asked).toEqual([{ names: ["a"] }, expect.stringContaining("The arguments were repaired")]);
    expect(ran).toEqual([{ names: ["a"] }]);
  });

  it("never completes a call that was cut off, whoever would agree", async () => {
    const { executor, ran } = makeTools({ approver: () => ({ decision: "allow" }) });
    const text = '{"names": ["a"], "label": "x"}';
    for (let length = 1; length < text.length; length += 1) {
      expect(codeOf(await executor.execute("wipe", text.slice(0, length), asText))).toBe("invalid_input");
    }
    expect(ran).toEqual([]);
  });

  it("repairs nothing where that is turned off", async () => {
    const { executor } = makeTools({ argumentRepair: "off" });
    expect(codeOf(await executor.execute("look", "{'names': []}", asText))).toBe("invalid_input");
    expect(codeOf(await executor.execute("look", { names: "[]" }))).toBe("invalid_input");
  });

  it("repairs nothing for a tool that nobody has", async () => {
    const { executor } = makeTools();
    expect(codeOf(await executor.execute("lok", "{'names': []}", asText))).toBe("tool_not_found");
  });
});
