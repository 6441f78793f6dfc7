import { InvalidToolInputError, NoSuchToolError, type ToolSet } from "ai";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRepairToolCall, toRawArguments } from "./repair-tool-call.ts";

const repair = createRepairToolCall(new Set(["ours"]));

async function repaired(toolName: string, input: string, error?: NoSuchToolError): Promise<string | undefined> {
  const call = await repair({
    toolCall: { type: "tool-call", toolCallId: "1", toolName, input },
    error: error ?? new InvalidToolInputError({ toolName, toolInput: input, cause: "x" }),
    tools: {} as ToolSet,
    messages: [],
    instructions: undefined,
    system: undefined,
    inputSchema: async () => ({}),
  });
  return call?.input;
}

describe("createRepairToolCall", () => {
  it("hands on any text, which the call unwraps again", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), async (text) => {
        const input = await repaired("ours", text);
        expect(toRawArguments(JSON.parse(input ?? "null"))).toBe(text);
      }),
    );
  });

  it("names the tool that was meant, in words without the name of an error", async () => {
    const error = await repaired("oursy", "{}", new NoSuchToolError({ toolName: "oursy" })).catch(String);
    expect(error).toBe('No tool is called "oursy". Did you mean ours?');
  });

  it("leaves unknown tools and other people's to the AI SDK", async () => {
    expect(await repaired("nothing_like_it", "{}", new NoSuchToolError({ toolName: "x" }))).toBeUndefined();
    expect(await repaired("ours", "{", new NoSuchToolError({ toolName: "ours" }))).toBeUndefined();
    expect(await repaired("theirs", "{")).toBeUndefined();
  });
});

describe("toRawArguments", () => {
  it("takes nothing for wrapped text that may have been meant", () => {
    for (const input of [{}, null, "x", [], { $aiw_raw: 1 }, { $aiw_raw: "{", more: 1 }])
      expect(toRawArguments(input)).toBeUndefined();
  });
});
