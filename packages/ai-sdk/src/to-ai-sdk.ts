import type { CompiledDefinition, DefinitionFormat, JsonObject, ToolEntry } from "@aiw/core";
import type { ToolManager } from "@aiw/executor";
import { dynamicTool, jsonSchema, type ToolCallRepairFunction, type ToolSet } from "ai";
import { createToolApproval, type ToolApproval } from "./create-tool-approval.ts";
import { executeCall, type ApprovalMode, type CallTarget } from "./execute-call.ts";
import { createRepairToolCall } from "./repair-tool-call.ts";
import { toModelOutput } from "./to-model-output.ts";

/** How tools are handed over. */
export interface AiSdkOptions {
  /** What schemas must satisfy; `openrouter`, which every provider accepts, unless named. */
  readonly format?: DefinitionFormat;
  /** `executor` (the default): its approver is awaited. `framework`: the AI SDK asks, and its answer counts. */
  readonly approvals?: ApprovalMode;
}

/** A tool as the AI SDK takes it. */
export type AiSdkTool = ReturnType<typeof dynamicTool>;

/** What `generateText`, `streamText` and `ToolLoopAgent` take; spread it into their settings. */
export interface AiSdkTools {
  /** By the name the model calls, sorted: the order is the order of sending. */
  readonly tools: Record<string, AiSdkTool>;
  /** Present when the framework asks. */
  readonly toolApproval?: Record<string, ToolApproval>;
  readonly repairToolCall: ToolCallRepairFunction<ToolSet>;
}

/**
 * Hands the tools of one conversation to the AI SDK; tools that cannot be said in the format stay out.
 * @throws AiwError `format_unsupported`, `too_many_tools`
 */
export function toAiSdk(tools: ToolManager, options: AiSdkOptions = {}): AiSdkTools {
  const { format = "openrouter", approvals = "executor" } = options;
  const { compiled, names } = tools.compileDefinitions({ format });
  const offered = compiled.map((definition) => {
    const name = names.fromWire(definition.name) ?? definition.name;
    const target: CallTarget = { tools, name, approvals, normalizeInput: definition.normalizeInput };
    return { definition, target };
  });
  return {
    tools: Object.fromEntries(
      offered.map(({ definition, target }) => [
        definition.name,
        toTool(definition, target, tools.registry.getEntry(target.name)),
      ]),
    ),
    ...(approvals === "framework" && {
      toolApproval: Object.fromEntries(
        offered.map(({ definition, target }) => [definition.name, createToolApproval(target)]),
      ),
    }),
    repairToolCall: createRepairToolCall(new Set(compiled.map(({ name }) => name))),
  };
}

function toTool(
  { definition, schema }: CompiledDefinition,
  target: CallTarget,
  entry: ToolEntry | undefined,
): AiSdkTool {
  const spec = entry?.spec;
  const examples = spec?.instructions?.examples ?? [];
  return dynamicTool({
    description: descriptionOf(definition),
    // Accepts anything: what the framework refused would reach neither events nor records.
    inputSchema: jsonSchema(schema as Parameters<typeof jsonSchema>[0], {
      validate: (value) => ({ success: true, value }),
    }),
    ...(examples.length > 0 && { inputExamples: examples.map(({ input }) => ({ input })) }),
    ...(entry !== undefined && { metadata: toMetadata(entry) }),
    execute: (input, { toolCallId, messages, abortSignal }) =>
      executeCall(target, input, { toolCallId, messages, abortSignal }),
    toModelOutput,
  });
}

/** The text as compiled: it says what the format's schema cannot. */
function descriptionOf(definition: JsonObject): string {
  const part = typeof definition["function"] === "object" ? (definition["function"] as JsonObject) : definition;
  return typeof part["description"] === "string" ? part["description"] : "";
}

/** Stays local: the AI SDK gives it to interfaces and callbacks, never to a model. */
function toMetadata({ id, spec }: ToolEntry): NonNullable<AiSdkTool["metadata"]> {
  if (spec === undefined) return { id };
  const { category, tags, effects } = spec.metadata;
  return { id, ...(category !== undefined && { category }), tags: [...tags], effects: { ...effects } };
}
