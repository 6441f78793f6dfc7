// The tool as the runner invokes it, with the text a model wrote.
import { RunContext, tool } from "@openai/agents";
import { measure } from "../measure.mjs";

await measure(({ name, description, schema, execute }) => {
  const made = tool({ name, description, parameters: schema, execute, errorFunction: null });
  const context = new RunContext({});
  return { call: (text) => made.invoke(context, text) };
});
