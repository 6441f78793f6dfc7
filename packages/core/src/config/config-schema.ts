import { EXECUTORS_KEY } from "./keys/executors-key.ts";
import { EXTENSIONS_KEY } from "./keys/extensions-keys.ts";
import { ISOLATION_KEY } from "./keys/isolation-key.ts";
import { LIMITS_KEY } from "./keys/limits-keys.ts";
import { POLICY_KEY } from "./keys/policy-keys.ts";
import { DISCOVERY_KEY, PLUGINS_KEY, SOURCES_KEY } from "./keys/source-keys.ts";
import type { KeySchema } from "./keys/key-schema.ts";
import { TOOLS_KEY, TOOLSETS_KEY } from "./keys/tools-keys.ts";
import { WORKSPACE_KEY } from "./keys/workspace-key.ts";

/** Every key of the configuration: validation, the published schema, splitting, merging and the reference page read this table. */
export const CONFIG_SCHEMA: KeySchema & { readonly $schema: string; readonly title: string } = {
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "aiw.config.json",
  description:
    "Configuration of aiw for one project: what is offered, allowed and bounded. Data alone; it runs no code.",
  type: "object",
  additionalProperties: false,
  properties: {
    $schema: {
      type: "string",
      description: "Names this schema, for editors.",
      examples: ["./node_modules/@aiw/core/aiw.config.schema.json"],
      "x-aiw-effect": "narrows",
      "x-aiw-merge": "replace",
    },
    tools: TOOLS_KEY,
    toolsets: TOOLSETS_KEY,
    plugins: PLUGINS_KEY,
    policy: POLICY_KEY,
    limits: LIMITS_KEY,
    workspace: WORKSPACE_KEY,
    sources: SOURCES_KEY,
    discovery: DISCOVERY_KEY,
    extensions: EXTENSIONS_KEY,
    isolation: ISOLATION_KEY,
    executors: EXECUTORS_KEY,
  },
};
