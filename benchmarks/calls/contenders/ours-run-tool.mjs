// The kernel alone: validation, execution, result; no policy, and the arguments are an object.
import { defineTool, runTool } from "@aiw/core";
import { measure, toValue } from "../measure.mjs";

await measure(({ name, description, schema, execute }) => {
  const tool = defineTool({ name, description, input: schema, effects: "pure", execute });
  return { call: (_text, args) => runTool(tool, args), read: toValue };
});
