// One call under policy; the arguments are the text a model wrote.
import { defineTool, ToolRegistry } from "@aiw/core";
import { UnifiedToolExecutor } from "@aiw/executor";
import { measure, toValue } from "../measure.mjs";

await measure(({ name, description, schema, execute }) => {
  const registry = new ToolRegistry();
  registry.register(defineTool({ name, description, input: schema, effects: "pure", execute }));
  const executor = new UnifiedToolExecutor(registry);
  return { call: (text) => executor.execute(name, text, { inputFormat: "json_text" }), read: toValue };
});
