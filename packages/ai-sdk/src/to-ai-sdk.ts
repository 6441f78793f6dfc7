import { AiwError, type CompiledDefinition, type DefinitionFormat, type JsonObject, type ToolEntry } from "@aiw/core";
import type { ToolManager } from "@aiw/executor";
import { dynamicTool, jsonSchema, type ToolCallRepairFunction, type ToolSet } from "ai";
import { createToolApproval, type ToolApproval } from "./create-tool-approval.ts";
import { executeCall, type ApprovalMode, type CallTarget } from "./execute-call.ts";
import { createToolFinder, type PrepareStep, type ToolFinder } from "./create-tool-finder.ts";
import { offerAll, offerEach, type OfferedTool } from "./offer-tools.ts";
import { createRepairToolCall } from "./repair-tool-call.ts";
import { toModelOutput } from "./to-model-output.ts";

/** How tools are handed over. */
export interface AiSdkOptions {
  /** What schemas must satisfy; `openrouter`, which every provider accepts, unless named. */
  readonly format?: DefinitionFormat;
  /** `executor` (the default): its approver is awaited. `framework`: the AI SDK asks, and its answer counts. */
  readonly approvals?: ApprovalMode;
  /** `all` (the default) offers every tool; `search` offers `find_tools`, and what it found from the next step on. */
  readonly offer?: "all" | "search";
  /** With `search`: names of tools that are offered from the start. */
  readonly always?: readonly string[];
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
  /** With `search`: what is offered from the start. */
  readonly activeTools?: string[];
  /** With `search`: offers what was found; a host with a `prepareStep` of its own calls it and keeps its `activeTools`. */
  readonly prepareStep?: PrepareStep;
}

/**
 * Hands the tools of one conversation to the AI SDK; tools that cannot be said in the format stay out.
 * @throws AiwError `format_unsupported`, `too_many_tools`, `config_invalid`; `tool_not_found` for a name in `always`
 */
export function toAiSdk(tools: ToolManager, options: AiSdkOptions = {}): AiSdkTools {
  const { format = "openrouter", approvals = "executor", offer = "all", always = [] } = options;
  assertOffer(offer, always);
  if (offer === "all") return handOver(offerAll(tools, { format, approvals }));
  const offered = offerEach(tools, { format, approvals });
  return handOver(offered, createToolFinder(tools, offered, { format, approvals, always }));
}

/** A misspelt setting would silently offer what was not meant. */
function assertOffer(offer: string, always: readonly string[]): void {
  if (offer === "search" || (offer === "all" && always.length === 0)) return;
  const wrong =
    offer === "all" ? "`always` has a meaning with search alone" : `offer cannot be ${JSON.stringify(offer)}`;
  throw new AiwError("config_invalid", `toAiSdk: ${wrong}.`, {
    fix: 'Pass { offer: "search" }, or neither of the two.',
  });
}

function handOver(offered: readonly OfferedTool[], finder?: ToolFinder): AiSdkTools {
  const all = finder === undefined ? offered : [...offered, ...finder.offered].toSorted(byWireName);
  const asking = all.filter(({ target }) => target.approvals === "framework");
  return {
    tools: Object.fromEntries(
      all.map(({ definition, target, entry }) => [definition.name, toTool(definition, target, entry)]),
    ),
    ...(asking.length > 0 && {
      toolApproval: Object.fromEntries(
        asking.map(({ definition, target }) => [definition.name, createToolApproval(target)]),
      ),
    }),
    repairToolCall: createRepairToolCall(
      new Set(all.map(({ definition }) => definition.name)),
      finder?.offered[0]?.definition.name,
    ),
    ...(finder !== undefined && { activeTools: finder.activeTools, prepareStep: finder.prepareStep }),
  };
}

function byWireName(a: OfferedTool, b: OfferedTool): number {
  return a.definition.name < b.definition.name ? -1 : 1;
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
