// The tool as an agent invokes it, with arguments that were parsed already.
import { tool } from "@langchain/core/tools";
import { measure } from "../measure.mjs";

await measure(({ name, description, schema, execute }) => {
  const made = tool(execute, { name, description, schema });
  return { call: (_text, args) => made.invoke(args) };
});
