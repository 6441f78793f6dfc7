import {
  compileDefinition,
  isOmitted,
  type CompiledDefinition,
  type DefinitionFormat,
  type ToolEntry,
} from "@aiw/core";
import type { ToolManager } from "@aiw/executor";
import type { ApprovalMode, CallTarget } from "./execute-call.ts";

/** How tools are offered. */
export interface OfferOptions {
  readonly format: DefinitionFormat;
  readonly approvals: ApprovalMode;
}

/** A tool that is handed over: what a model is told of it, and how its calls are made. */
export interface OfferedTool {
  readonly definition: CompiledDefinition;
  readonly target: CallTarget;
  readonly entry: ToolEntry | undefined;
}

/**
 * Offers every tool of a conversation at once.
 * @throws AiwError `format_unsupported`, `too_many_tools`
 */
export function offerAll(tools: ToolManager, { format, approvals }: OfferOptions): OfferedTool[] {
  const { compiled, names } = tools.compileDefinitions({ format });
  return compiled.map((definition) => {
    const name = names.fromWire(definition.name) ?? definition.name;
    return toOffered(definition, { tools, name, approvals, normalizeInput: definition.normalizeInput });
  });
}

/**
 * Offers every tool by itself, for requests that carry some of them: no provider's limit holds for all.
 * @throws AiwError `format_unsupported`
 */
export function offerEach(tools: ToolManager, { format, approvals }: OfferOptions): OfferedTool[] {
  return tools.catalog.specs().flatMap((spec) => {
    const definition = compileDefinition(spec, { format });
    if (isOmitted(definition)) return [];
    return [toOffered(definition, { tools, name: spec.name, approvals, normalizeInput: definition.normalizeInput })];
  });
}

function toOffered(definition: CompiledDefinition, target: CallTarget): OfferedTool {
  return { definition, target, entry: target.tools.registry.getEntry(target.name) };
}
