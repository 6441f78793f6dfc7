import type { JsonObject } from "../contract/json.ts";
import type { ToolSpec } from "../contract/tool-spec.ts";
import { AiwError } from "../errors/aiw-error.ts";
import { freezeDeep } from "../schema/freeze-deep.ts";
import {
  compileDefinition,
  isOmitted,
  resolveTarget,
  type CompiledDefinition,
  type CompileOptions,
  type DefinitionFinding,
  type OmittedDefinition,
} from "./compile-definition.ts";
import { createWireNames, type WireNames } from "./wire-names.ts";

const MAX_LIST_BYTES = 64 * 1024;
const MANY_TOOLS = 30;

/** A list of tools as one request carries it, sorted by wire name; frozen. */
export interface CompiledDefinitions {
  readonly definitions: readonly JsonObject[];
  /** The same tools with their schemas, losses and `normalizeInput`. */
  readonly compiled: readonly CompiledDefinition[];
  readonly omitted: readonly OmittedDefinition[];
  readonly warnings: readonly DefinitionFinding[];
  readonly names: WireNames;
}

/**
 * Writes a tool's definition in one format.
 * @throws AiwError `format_unsupported`, or `tool_definition_invalid` when the format cannot say the tool.
 */
export function toDefinition(spec: ToolSpec, options: CompileOptions): JsonObject {
  const compiled = compileDefinition(spec, options);
  if (!isOmitted(compiled)) return compiled.definition;
  throw new AiwError(
    "tool_definition_invalid",
    `${compiled.name} has no ${options.format} definition: ${compiled.reason}.`,
    { fix: compiled.fix },
  );
}

/**
 * Compiles a list; what the format cannot say is left out with a reason, and of twins only the first by name is offered.
 * @throws AiwError `format_unsupported`, or `too_many_tools` when the provider would refuse the request.
 */
export function compileDefinitions(specs: Iterable<ToolSpec>, options: CompileOptions): CompiledDefinitions {
  const { maxTools = Number.POSITIVE_INFINITY } = resolveTarget(options.format);
  const all = [...specs].map((spec) => ({ spec, compiled: compileDefinition(spec, options) })).toSorted(byWireName);
  const omitted: OmittedDefinition[] = [];
  const offered = new Map<string, { readonly spec: ToolSpec; readonly compiled: CompiledDefinition }>();
  for (const { spec, compiled } of all) {
    const twin = offered.get(foldName(compiled.name));
    if (isOmitted(compiled)) omitted.push(compiled);
    else if (twin !== undefined) omitted.push(toTwin(compiled, twin.compiled));
    else offered.set(foldName(compiled.name), { spec, compiled });
  }
  const kept = [...offered.values()];
  if (kept.length > maxTools) throw tooMany(kept.length, maxTools, options);
  const compiled = kept.map((tool) => tool.compiled);
  // Frozen, so that one list can be given to everybody who asks.
  return Object.freeze({
    definitions: Object.freeze(compiled.map(({ definition }) => definition)),
    compiled: Object.freeze(compiled),
    omitted: Object.freeze(omitted),
    warnings: freezeDeep([...compiled.flatMap(({ warnings }) => warnings), ...findListWarnings(compiled)]),
    names: createWireNames(kept.map((tool) => [tool.spec.name, tool.compiled.name])),
  });
}

interface Named {
  readonly compiled: { readonly name: string };
}

function byWireName(a: Named, b: Named): number {
  if (a.compiled.name === b.compiled.name) return 0;
  return a.compiled.name < b.compiled.name ? -1 : 1;
}

/** Names that are one to a model or a client. */
function foldName(name: string): string {
  return name.toLowerCase().replaceAll("-", "_");
}

function toTwin({ name }: CompiledDefinition, first: CompiledDefinition): OmittedDefinition {
  return Object.freeze({
    name,
    reason: `its name is one with ${first.name} to a model`,
    fix: "Rename or disable one of the two.",
  });
}

function tooMany(count: number, limit: number, { format }: CompileOptions): AiwError {
  return new AiwError(
    "too_many_tools",
    `${count} tools are offered, but ${format} takes at most ${limit} in one request.`,
    {
      fix: 'Offer fewer: compileDefinitions(registry.specs({ tags: ["…"] }), { format }).',
      details: { count, limit },
    },
  );
}

function findListWarnings(compiled: readonly CompiledDefinition[]): DefinitionFinding[] {
  const bytes = compiled.reduce((sum, tool) => sum + tool.bytes, 0);
  return [
    ...(bytes > MAX_LIST_BYTES
      ? [
          {
            code: "list_too_large" as const,
            message: `The definitions have ${bytes} bytes together; offer fewer tools or shorten them below ${MAX_LIST_BYTES}.`,
          },
        ]
      : []),
    ...(compiled.length > MANY_TOOLS
      ? [
          {
            code: "many_tools" as const,
            message: `${compiled.length} tools are offered; models choose worse among more than ${MANY_TOOLS}. Offer fewer, by a filter of registry.specs().`,
          },
        ]
      : []),
  ];
}
