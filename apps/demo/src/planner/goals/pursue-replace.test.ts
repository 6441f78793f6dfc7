import { dynamicTool, generateText, isStepCount, jsonSchema, type ToolSet } from "ai";
import { describe, expect, it } from "vitest";
import { createOfflinePlanner } from "../offline-planner.ts";

const text = { type: "string" };
const edit = { type: "object", properties: { old_text: text, new_text: text }, required: ["old_text", "new_text"] };

/** One file, and tools that change it and take the change back. */
function oneFile(content: string): { tools: ToolSet; seen: string[]; file: { content: string } } {
  const file = { content };
  const before: string[] = [];
  const seen: string[] = [];
  const define = (name: string, properties: object, required: string[], answer: (input: never) => object): ToolSet => ({
    [name]: dynamicTool({
      description: `The ${name} tool.`,
      inputSchema: jsonSchema({ type: "object", properties, required, additionalProperties: false } as never),
      execute: (input) => {
        seen.push(`${name} ${JSON.stringify(input)}`);
        return answer(input as never);
      },
    }),
  });
  const edits = { type: "array", items: edit };
  const tools: ToolSet = {
    ...define(
      "edit",
      { path: text, edits },
      ["path", "edits"],
      (input: { edits: { old_text: string; new_text: string }[] }) => {
        const [{ old_text: oldText = "", new_text: newText = "" } = {}] = input.edits;
        if (file.content.split(oldText).length !== 2) {
          const error = "old_text stands at 2 places, lines 1, 2: a.txt";
          return {
            success: false,
            error,
            error_type: "user_error",
            code: "ambiguous_match",
            suggestion: "edit(near_line=1)",
          };
        }
        before.push(file.content);
        file.content = file.content.replace(oldText, () => newText);
        return {
          success: true,
          error: "",
          additions: 1,
          deletions: 1,
          diff: `-${oldText}\n+${newText}`,
          undo_id: "u7",
        };
      },
    ),
    ...define("undo", { undo_id: text }, [], () => {
      file.content = before.pop() ?? "";
      return { success: true, error: "", restored: [{ path: "a.txt" }] };
    }),
  };
  return { tools, seen, file };
}

async function ask(tools: ToolSet, prompt: string): Promise<string> {
  const answer = await generateText({ model: createOfflinePlanner(), tools, prompt, stopWhen: isStepCount(20) });
  return answer.text;
}

describe("a wish to change a file", () => {
  it("makes the change, shows the difference, and takes back that very change", async () => {
    const { tools, seen, file } = oneFile("one two\n");
    const said = await ask(tools, 'Replace "one" with "1" in a.txt, then undo it.');
    expect(seen).toEqual([
      'edit {"path":"a.txt","edits":[{"old_text":"one","new_text":"1"}]}',
      'undo {"undo_id":"u7"}',
    ]);
    expect(said).toContain("(done): Changed it: +1 -1 lines.");
    expect(said).toContain("```diff\n-one\n+1\n```");
    expect(said).toContain("Took back: a.txt.");
    expect(file.content).toBe("one two\n");
  });

  it("does not guess which of several places is meant", async () => {
    const { tools, seen, file } = oneFile("one one\n");
    expect(await ask(tools, 'Replace "one" with "1" in a.txt.')).toContain("stands at 2 places");
    expect([seen.length, file.content]).toEqual([1, "one one\n"]);
  });

  it("takes nothing back where it changed nothing", async () => {
    const { tools, seen } = oneFile("one\n");
    expect(await ask(tools, "Undo that.")).toContain("changed no file");
    expect(seen).toEqual([]);
  });
});
