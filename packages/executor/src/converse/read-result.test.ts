import { runTool, type Tool, type ToolResult } from "@aiw/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createReadResult, type ReadResultOutput } from "./read-result.ts";

function makeReader(kept: { readonly [reference: string]: unknown }): Tool {
  return createReadResult({ readFullResult: async (reference) => kept[reference] }) as Tool;
}

async function readWith(tool: Tool, input: object, maxResultCharacters?: number): Promise<ToolResult> {
  return await runTool(tool, input, { maxResultCharacters });
}

describe("createReadResult", () => {
  const tool = makeReader({ "result:1": { files: [{ "a/b": "text" }], count: 2 }, "result:2": "plain" });

  it("gives text as it is and everything else as JSON", async () => {
    expect(await readWith(tool, { reference: "result:2" })).toMatchObject({
      value: { content: "plain", offset: 0, total_characters: 5 },
    });
    const whole = await readWith(tool, { reference: "result:1" });
    expect(whole).toMatchObject({ value: { content: expect.stringContaining('"count": 2') } });
  });

  it("gives the part that a pointer names", async () => {
    expect(await readWith(tool, { reference: "result:1", pointer: "/files/0/a~1b" })).toMatchObject({
      value: { content: "text" },
    });
  });

  it("says what there is where a pointer leads nowhere", async () => {
    expect(await readWith(tool, { reference: "result:1", pointer: "/file" })).toMatchObject({
      code: "not_found",
      suggestion: "Did you mean files?",
    });
    expect(await readWith(tool, { reference: "result:1", pointer: "/files/3" })).toMatchObject({
      error: expect.stringContaining("a list of 1"),
    });
  });

  it("says so of references that nobody keeps, and of offsets past the end", async () => {
    expect(await readWith(tool, { reference: "result:9" })).toMatchObject({ code: "not_found" });
    expect(await readWith(tool, { reference: "result:2", offset: 5 })).toMatchObject({ code: "invalid_input" });
  });

  it("can have another name, and no wrong one", () => {
    const keeper = { readFullResult: async () => undefined };
    expect(createReadResult(keeper, { name: "see" }).spec.name).toBe("see");
    expect(() => createReadResult(keeper, { name: "no name" })).toThrow("name");
  });

  it("gives every text whole when it is read on, within what reaches the model", async () => {
    const text = fc.string({ unit: fc.constantFrom("a", '"', "\\", "\n", "é", "😀"), minLength: 1, maxLength: 3000 });
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 500 }), async (whole, limit) => {
        const reader = makeReader({ x: whole });
        let read = "";
        for (let offset: number | undefined = 0; offset !== undefined;) {
          const result = await readWith(reader, { reference: "x", offset, limit }, 600);
          if (!result.success) throw new Error(result.error);
          const part = result.value as ReadResultOutput;
          expect(JSON.stringify(part).length).toBeLessThanOrEqual(600);
          expect(part.content.length).toBeGreaterThan(0);
          expect(part.content.isWellFormed()).toBe(true);
          read += part.content;
          offset = part.next_offset;
        }
        expect(read).toBe(whole);
      }),
      { numRuns: 30 },
    );
  });
});
