import { defineTool, defineToolPackage, type Tool } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { contractChecks } from "./contract-checks.ts";
import { temporaryWorkspace } from "../workspace/temporary-workspace.ts";

const good = defineTool({
  name: "add",
  description: "Adds two numbers.",
  input: z.strictObject({ a: z.number().describe("First."), b: z.number().describe("Second.") }),
  effects: "pure",
  instructions: { examples: [{ when: "add 1 and 2", input: { a: 1, b: 2 } }] },
  execute: ({ a, b }) => a + b,
});

async function failures(tools: Parameters<typeof contractChecks>[0]["tools"], packageDir?: string): Promise<string[]> {
  const failed: string[] = [];
  for (const check of contractChecks({ tools, ...(packageDir !== undefined && { packageDir }) })) {
    await check.run().catch(() => failed.push(check.name));
  }
  return failed;
}

describe("contractChecks", () => {
  it("passes a good tool", async () => {
    expect(await failures(defineToolPackage({ tools: [good] }))).toEqual([]);
  });

  it.each<[string, Tool, string]>([
    [
      "an unbranded tool",
      { spec: good.spec, contractVersion: 1, execute: () => 1 } as unknown as Tool,
      "add is a tool of this contract",
    ],
    [
      "an open schema",
      defineTool({
        name: "open",
        description: "O.",
        input: z.object({ a: z.number().optional().describe("A.") }),
        execute: () => 1,
      }),
      "open refuses unknown parameters",
    ],
    [
      "an undescribed parameter",
      defineTool({ name: "mute", description: "M.", input: z.strictObject({ a: z.string() }), execute: () => 1 }),
      "mute is called in snake_case and describes every parameter",
    ],
    [
      "a bad example",
      defineTool({
        name: "ex",
        description: "E.",
        instructions: { examples: [{ when: "do", input: { a: 1 } }] },
        execute: () => 1,
      }),
      "ex accepts its own examples",
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
      "mum gives a verdict on its own examples, where it assesses arguments",
    ],
    [
      "contradicting effects",
      defineTool({ name: "eff", description: "E.", effects: { readOnly: true, destructive: true }, execute: () => 1 }),
      "eff has effects that agree with each other",
    ],
  ])("fails %s", async (_what, tool, check) => {
    expect(await failures([tool])).toContain(check);
  });

  it("fails an empty package", async () => {
    expect(await failures(defineToolPackage({ tools: [] }))).toEqual(["offers at least one tool"]);
  });

  it("checks package.json when it knows the folder", async () => {
    await using folder = await temporaryWorkspace({
      "package.json": JSON.stringify({ scripts: { postinstall: "node x.js" }, peerDependencies: { "@aiw/core": "1" } }),
    });
    expect(await failures([good], folder.cwd)).toEqual([
      "package.json declares its tools by a static manifest that is packed",
      "package.json depends on @aiw/core as an ordinary dependency",
      "package.json says which Node it needs",
      "package.json runs nothing at install",
    ]);
  });
});
