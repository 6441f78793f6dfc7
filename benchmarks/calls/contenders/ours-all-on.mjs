// One call under policy with roles, approval, a rate limit, a record, logs and telemetry around it.
import { defineTool, ToolRegistry } from "@aiw/core";
import { UnifiedToolExecutor } from "@aiw/executor";
import { createAllExtensions, principal } from "../all-extensions.mjs";
import { measure, toValue } from "../measure.mjs";

await measure(async ({ name, description, schema, execute }) => {
  const registry = new ToolRegistry();
  registry.register(defineTool({ name, description, input: schema, effects: "pure", execute }));
  const executor = new UnifiedToolExecutor(registry, { extensions: await createAllExtensions() });
  return { call: (_text, args) => executor.execute(name, args, { principal }), read: toValue };
});
