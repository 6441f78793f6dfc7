import { defineTool, ToolError } from "@aiw/core";
import { z } from "zod";

export const countWords = defineTool({
  name: "count_words",
  description: "Counts the words of each text and of all of them.",
  input: z.strictObject({
    texts: z.array(z.string()).min(1).describe("The texts to count."),
  }),
  output: z.object({ words: z.array(z.int()), total: z.int() }),
  effects: "pure",
  instructions: {
    purpose: "Use it when a text must not be longer than a number of words.",
    examples: [{ when: "count the words of two titles", input: { texts: ["The first", "The second one"] } }],
  },
  async *execute({ texts }) {
    const words: number[] = [];
    for (const text of texts) {
      if (text.trim() === "") {
        throw new ToolError("invalid_input", `Text ${words.length + 1} is empty.`, {
          suggestion: "Leave empty texts out.",
        });
      }
      words.push(text.trim().split(/\s+/).length);
      yield `text ${words.length}: ${words.at(-1)} words\n`;
    }
    return { words, total: words.reduce((sum, count) => sum + count, 0) };
  },
});
