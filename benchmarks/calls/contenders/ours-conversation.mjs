// One call of a conversation, with its state, turn and events; the arguments are the text a model wrote.
import { defineTool, ToolRegistry } from "@aiw/core";
import { ToolManager, UnifiedToolExecutor } from "@aiw/executor";
import { measure, toValue } from "../measure.mjs";

await measure(({ name, description, schema, execute }) => {
  const registry = new ToolRegistry();
  registry.register(defineTool({ name, description, input: schema, effects: "pure", execute }));
  const executor = new UnifiedToolExecutor(registry);
  const tools = new ToolManager(executor);
  const call = (text) => {
    // The same call again would be a repetition within its turn.
    tools.clearCurrentTurn();
    return tools.executeTool(name, text, { inputFormat: "json_text" });
  };
  return { call, read: toValue };
});
