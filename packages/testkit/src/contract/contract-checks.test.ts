import { CONTRACT_VERSION, defineTool, defineToolPackage, TOOL_BRAND, type Tool, type ToolSpec } from "@aiw/core";
import { writeFile } from "node:fs/promises";
import * as path from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { temporaryWorkspace } from "../workspace/temporary-workspace.ts";
import { contractChecks } from "./contract-checks.ts";
import type { ContractSubject } from "./contract-subject.ts";

const good = defineTool({
  name: "add",
  description: "Adds two numbers.",
  input: z.strictObject({ a: z.number().describe("First."), b: z.number().describe("Second.") }),
  effects: "pure",
  instructions: { examples: [{ when: "add 1 and 2", input: { a: 1, b: 2 } }] },
  preview: () => ["a line"],
  execute: ({ a, b }) => a + b,
});

/** A tool with two examples, as its code makes it. */
function shout(execute: Tool<{ text: string }>["execute"], more: Partial<Parameters<typeof defineTool>[0]> = {}): Tool {
  return defineTool({
    name: "shout",
    description: "Repeats a text in capitals.",
    input: z.strictObject({ text: z.string().describe("What to shout.") }),
    effects: "read",
    instructions: {
      examples: [
        { when: "shout hello", input: { text: "hello" } },
        { when: "shout bye", input: { text: "bye" } },
      ],
    },
    ...(more as object),
    execute: execute as never,
  }) as Tool;
}

function withSpec(change: Partial<ToolSpec> | (() => Partial<ToolSpec>)): Tool {
  const { spec } = good;
  return {
    [TOOL_BRAND]: true,
    contractVersion: CONTRACT_VERSION,
    get spec() {
      return Object.freeze({ ...spec, ...(typeof change === "function" ? change() : change) });
    },
    execute: good.execute as Tool["execute"],
  };
}

async function failures(subject: ContractSubject): Promise<string[]> {
  const failed: string[] = [];
  for (const check of contractChecks(subject)) await check.run().catch(() => failed.push(check.name));
  return failed;
}

let readings = 0;
let shared = "";
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

const bad: [string, Tool, string][] = [
  [
    "an unbranded tool",
    { spec: good.spec, contractVersion: 1, execute: good.execute, parseInput: good.parseInput } as unknown as Tool,
    "is a tool of this contract",
  ],
  [
    "an open schema",
    defineTool({
      name: "open",
      description: "O.",
      input: z.object({ a: z.number().optional().describe("A.") }),
      execute: () => 1,
    }),
    "refuses unknown parameters",
  ],
  [
    "an undescribed parameter",
    defineTool({ name: "mute", description: "M.", input: z.strictObject({ a: z.string() }), execute: () => 1 }),
    "describes every parameter",
  ],
  [
    "a name in camelCase",
    defineTool({ name: "camelCase", description: "C.", input: z.strictObject({}), execute: () => 1 }),
    "is called in snake_case",
  ],
  [
    "a bad example",
    defineTool({
      name: "ex",
      description: "E.",
      effects: "pure",
      instructions: { examples: [{ when: "do", input: { a: 1 } }] },
      execute: () => 1,
    }),
    "accepts its own examples",
  ],
  [
    "an assessment without a verdict",
    defineTool({
      name: "mum",
      description: "M.",
      instructions: { examples: [{ when: "do", input: {} }] },
      execute: () => 1,
      assess: () => ({}) as never,
    }),
    "gives a verdict on its own examples, where it assesses arguments",
  ],
  [
    "an assessment without a reason",
    defineTool({
      name: "mum",
      description: "M.",
      instructions: { examples: [{ when: "do", input: {} }] },
      execute: () => 1,
      assess: () => ({ decision: "ask" }) as never,
    }),
    "gives a verdict on its own examples, where it assesses arguments",
  ],
  [
    "an undescribed parameter of an alternative",
    defineTool({
      name: "mute",
      description: "M.",
      input: z.strictObject({ a: z.union([z.int(), z.strictObject({ x: z.int() })]).describe("A.") }),
      execute: () => 1,
    }),
    "describes every parameter",
  ],
  ["bytes as a result", shout(() => ({ image: Buffer.from("x") })), "keeps its promises when its examples run"],
  [
    "contradicting effects",
    defineTool({ name: "eff", description: "E.", effects: { readOnly: true, destructive: true }, execute: () => 1 }),
    "has effects that agree with each other",
  ],
  [
    "a reading tool that may write files",
    defineTool({ name: "eff", description: "E.", effects: "read", permissions: ["fs:write"], execute: () => 1 }),
    "has effects that agree with each other",
  ],
  [
    "a reading tool that is not idempotent",
    defineTool({ name: "eff", description: "E.", effects: { readOnly: true, idempotent: false }, execute: () => 1 }),
    "has effects that agree with each other",
  ],
  ["a spec that can change", { ...good, spec: structuredClone(good.spec) } as Tool, "has a legal, frozen spec"],
  [
    "an undefined member",
    withSpec({ title: undefined } as never),
    "has a spec that survives JSON and is always the same",
  ],
  [
    "a spec that differs",
    withSpec(() => ({ title: `Reading ${(readings += 1)}` })),
    "has a spec that survives JSON and is always the same",
  ],
  [
    "an undeclared assess",
    { ...good, assess: () => ({ decision: "allow", reason: "Fine." }) } as Tool,
    "has an assess function exactly when its spec says so",
  ],
  [
    "instructions without its name in backticks",
    withSpec({ instructions: { text: "add adds." } }),
    "is named in the first line of its prompt instructions",
  ],
  [
    "a preview that throws at failures",
    { ...good, preview: (result: { value: object }) => [result.value.toString()] } as never,
    "previews failures as lines",
  ],
  [
    "a preview that is a promise of a success",
    { ...good, preview: ({ success }: { success: boolean }) => (success ? Promise.resolve([]) : []) } as never,
    "previews what its examples give as lines",
  ],
  [
    "an example that throws",
    shout(() => {
      throw new TypeError("no");
    }),
    "keeps its promises when its examples run",
  ],
  [
    "an output that is not promised",
    shout(() => 5, { output: z.string() } as never),
    "keeps its promises when its examples run",
  ],
  [
    "state of a call in the module",
    shout(async ({ text }) => {
      shared = text;
      await turn();
      return shared.toUpperCase();
    }),
    "keeps calls apart that run at once",
  ],
  [
    "a cancelled call that never ends",
    shout(
      ({ text }, { signal }) =>
        new Promise((resolve) => {
          const timer = setTimeout(() => resolve(text), 5);
          signal.addEventListener("abort", () => clearTimeout(timer));
        }),
    ),
    "ends when its call is cancelled",
  ],
  [
    "a reading tool that changes the environment",
    shout(({ text }) => void (process.env["AIW_TESTKIT_CHANGED"] = text)),
    "leaves the workspace as it was when its examples run",
  ],
  [
    "a reading tool that writes",
    shout(async ({ text }, { workspace }) => writeFile(path.join(workspace.cwd, text), text)),
    "leaves the workspace as it was when its examples run",
  ],
];

afterEach(() => {
  delete process.env["AIW_TESTKIT_CHANGED"];
});

describe("contractChecks", () => {
  it("passes a good tool", async () => {
    expect(await failures({ tools: defineToolPackage({ tools: [good] }) })).toEqual([]);
  });

  it.each(bad)("fails exactly the check of %s", async (_what, tool, check) => {
    expect(await failures({ tools: [tool] })).toEqual([`${tool.spec.name} ${check}`]);
  });

  it("fails the formats that cannot say a tool", async () => {
    const both = (at: number): object => ({
      l: { description: "Left.", $ref: `#/$defs/d${at}` },
      r: { description: "Right.", $ref: `#/$defs/d${at}` },
    });
    const levels = Array.from({ length: 14 }, (_, at) => [`d${at}`, { type: "object", properties: both(at + 1) }]);
    const tool = withSpec({
      inputSchema: Object.freeze({
        type: "object",
        properties: { x: { description: "Much.", $ref: "#/$defs/d0" } },
        additionalProperties: false,
        $defs: { ...Object.fromEntries(levels), d14: { type: "string" } },
      }),
      instructions: {},
    } as never);
    expect(await failures({ tools: [tool] })).toEqual(["add can be offered as openrouter"]);
  });

  it("passes tools that differ by themselves, stream, fail in words, or are slow to notice", async () => {
    let count = 0;
    const tools = [
      shout(() => (count += 1)),
      shout(async function* stream({ text }: { text: string }) {
        for (const letter of text) {
          await turn();
          yield letter;
        }
        return { text };
      } as never),
    ];
    for (const tool of tools) expect(await failures({ tools: [tool] })).toEqual([]);
  });

  it("runs examples of harmless tools alone, in a folder that holds the files, and none on request", async () => {
    const seen: string[] = [];
    const note = (name: string): Tool => shout((_input, { workspace }) => void seen.push(name, workspace.cwd));
    const risky = ["write", { readOnly: true, openWorld: true }] as const;
    for (const effects of risky) await failures({ tools: [shout(() => void seen.push("risky"), { effects })] });
    for (const permissions of [["net"], ["process"], ["fs:write"]])
      await failures({ tools: [shout(() => void seen.push("risky"), { permissions })] });
    await failures({ tools: [shout(() => void seen.push("risky"), { requiresApproval: true })] });
    await failures({ tools: [note("validated")], examples: "validate" });
    expect(seen).toEqual([]);
    await failures({ tools: [note("run")] });
    expect(seen).toContain("run");
    expect(seen).not.toContain(process.cwd());
  });

  it("fails an example that takes too long", async () => {
    const tool = shout(
      (_input, { signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve("late"))),
    );
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const check = contractChecks({ tools: [tool] }).find(({ name }) => name.includes("keeps its promises"));
      const run = expect(check?.run()).rejects.toThrow("took longer than 10000 ms");
      for (let example = 0; example < 2; example += 1) {
        while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve));
        await vi.advanceTimersByTimeAsync(10_000);
      }
      await run;
    } finally {
      vi.useRealTimers();
    }
  });

  it("fails an empty package, and names that are one to a model", async () => {
    expect(await failures({ tools: defineToolPackage({ tools: [] }) })).toEqual(["offers at least one tool"]);
    expect(await failures({ tools: [good, good] })).toEqual(["gives each tool a name of its own"]);
  });

  it("fails options that hold a secret nobody marked", async () => {
    const options = (key: z.ZodType) =>
      defineToolPackage({
        options: z.object({ service: z.object({ apiKey: key }).optional(), max_tokens: z.int().optional() }),
        tools: [good],
      });
    expect(await failures({ tools: options(z.string()) })).toEqual(["marks options that hold secrets"]);
    expect(await failures({ tools: options(z.string().meta({ writeOnly: true })) })).toEqual([]);
  });

  it("says which options to pass when a package requires some", async () => {
    const tools = defineToolPackage({ options: z.object({ url: z.url() }), tools: [good] });
    const check = contractChecks({ tools }).find(({ name }) => name.includes("own examples"));
    await expect(check?.run()).rejects.toThrow("Pass the options");
    expect(await failures({ tools, options: { url: "https://a.example" } })).toEqual([]);
  });

  it("checks package.json when it knows the folder", async () => {
    await using folder = await temporaryWorkspace({
      "package.json": JSON.stringify({ scripts: { postinstall: "node x.js" }, peerDependencies: { "@aiw/core": "1" } }),
    });
    expect(await failures({ tools: [good], packageDir: folder.cwd })).toEqual([
      "package.json declares its tools by a static manifest that is packed",
      "package.json depends on @aiw/core as an ordinary dependency",
      "package.json says which Node it needs",
      "package.json runs nothing at install",
    ]);
  });
});
