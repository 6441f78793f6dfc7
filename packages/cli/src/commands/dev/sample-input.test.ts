import { defineTool, runTool, type JsonSchema } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { sampleInput } from "./sample-input.ts";

async function sample(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = Object.keys(properties),
): Promise<unknown> {
  const input = { type: "object", properties, required } as const;
  const tool = defineTool({ name: "sample", description: "Is called.", input, effects: "pure", execute: () => null });
  expect(await runTool(tool, sampleInput(tool.spec))).toMatchObject({ success: true });
  return sampleInput(tool.spec);
}

describe("sampleInput", () => {
  it("gives each required parameter a value that its schema admits", async () => {
    expect(
      await sample({
        text: { type: "string" },
        count: { type: "integer", minimum: 5 },
        ratio: { type: "number" },
        loud: { type: "boolean" },
        list: { type: "array", items: { type: "string" }, minItems: 1 },
        none: { type: "array", items: { type: "string" } },
        inner: { type: "object", properties: { a: { type: "string" }, b: { type: "string" } }, required: ["a"] },
        kind: { enum: ["one", "two"] },
        either: { anyOf: [{ type: "number" }, { type: "string" }] },
      }),
    ).toEqual({
      text: "text",
      count: 5,
      ratio: 1,
      loud: true,
      list: ["text"],
      none: [],
      inner: { a: "text" },
      kind: "one",
      either: 1,
    });
  });

  it("leaves out what is optional, and takes the author's example before all", async () => {
    expect(await sample({ text: { type: "string" } }, [])).toEqual({});
    const { spec } = defineTool({
      name: "sample",
      description: "Is called.",
      input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
      effects: "pure",
      instructions: { examples: [{ when: "asked", input: { text: "hello" } }] },
      execute: () => null,
    });
    expect(sampleInput(spec)).toEqual({ text: "hello" });
  });
});
