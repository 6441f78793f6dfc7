import type { JsonObject } from "../../contract/json.ts";
import type { ToolSpec } from "../../contract/tool-spec.ts";
import type { Target } from "./target.ts";

/** The Model Context Protocol, which takes JSON Schema as it is. */
export const MCP: Target = {
  toWireSchema: (schema) => ({
    schema: { ...schema, type: "object", properties: schema.properties ?? {}, required: schema.required ?? [] },
    losses: [],
    rootPhrases: [],
    restore: (input) => input,
  }),
  toDefinition: ({ spec, name, description, schema }) => ({
    name,
    ...(spec.title !== undefined && { title: spec.title }),
    description,
    inputSchema: schema as JsonObject,
    ...(spec.outputSchema !== undefined && { outputSchema: spec.outputSchema as JsonObject }),
    annotations: toAnnotations(spec),
    _meta: { "aiwhisperer/tool": toMeta(spec) },
  }),
};

/** All four hints are written: an absent one means destructive and open world. */
function toAnnotations({ title, metadata: { effects } }: ToolSpec): JsonObject {
  return {
    ...(title !== undefined && { title }),
    readOnlyHint: effects.readOnly,
    destructiveHint: effects.destructive,
    idempotentHint: effects.idempotent,
    openWorldHint: effects.openWorld,
  };
}

function toMeta({ metadata: { version, category, tags, permissions } }: ToolSpec): JsonObject {
  return {
    ...(version !== undefined && { version }),
    ...(category !== undefined && { category }),
    tags,
    permissions,
  };
}
