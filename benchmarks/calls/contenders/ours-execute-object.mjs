// One call under policy; the arguments are an object.
import { defineTool, ToolRegistry } from "@aiw/core";
import { UnifiedToolExecutor } from "@aiw/executor";
import { measure, toValue } from "../measure.mjs";

await measure(({ name, description, schema, execute }) => {
  const registry = new ToolRegistry();
  registry.register(defineTool({ name, description, input: schema, effects: "pure", execute }));
  const executor = new UnifiedToolExecutor(registry);
  return { call: (_text, args) => executor.execute(name, args), read: toValue };
});
