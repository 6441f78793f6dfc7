// Ours: tools of a source, as discovered ones are; the format is the last argument of the process.
import { createEntry, defineTool, ToolRegistry } from "@aiw/core";
import { measure } from "../measure.mjs";

const format = process.argv[5];

await measure(async (tools) => {
  const entries = tools.map(({ name, description, schema, execute }) => {
    const tool = defineTool({ name, description, input: schema, effects: "read", execute });
    const origin = { source: "package", package: "bench" };
    return createEntry({ id: `bench/${name}`, name, origin, spec: tool.spec, load: async () => tool });
  });
  const registry = new ToolRegistry({ sources: [{ name: "bench", list: async () => entries }] });
  await registry.readSources();
  return () => registry.getAllToolDefinitions({ format });
});
