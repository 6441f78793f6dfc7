// The tool as an agent executes it, with arguments that were parsed already.
import { createTool } from "@mastra/core/tools";
import { measure } from "../measure.mjs";

await measure(({ name, description, schema, execute }) => {
  const made = createTool({ id: name, description, inputSchema: schema, execute: async (input) => execute(input) });
  const read = (output) => {
    if (typeof output === "object" && output?.error) throw new Error(output.message);
    return output;
  };
  return { call: (_text, args) => made.execute(args, {}), read };
});
