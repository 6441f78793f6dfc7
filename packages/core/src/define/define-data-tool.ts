import { CONTRACT_VERSION, TOOL_BRAND, type Tool } from "../contract/tool.ts";
import type { ToolEffects, ToolMetadata, ToolSpec } from "../contract/tool-spec.ts";
import { AiwError } from "../errors/aiw-error.ts";
import { ToolError } from "../errors/tool-error.ts";
import { freezeDeep } from "../schema/freeze-deep.ts";
import { isRecord } from "../schema/is-record.ts";
import { validateSpec } from "../schema/validate-spec.ts";
import { toEffects } from "./tool-effects.ts";

/** A spec as people write it: metadata that is left out takes its safe value. */
export interface DataToolDefinition extends Omit<ToolSpec, "metadata"> {
  readonly metadata?: Partial<Omit<ToolMetadata, "effects">> & {
    /** Flags left out count as destructive and open-world. */
    readonly effects?: Partial<ToolEffects>;
  };
}

/** What an executor may know of where a tool that is data came from. */
export interface DataToolOrigin {
  /** The package whose manifest it is in; absent for what the host defined. */
  readonly package?: string | undefined;
  /** Absolute: where relative paths of the spec start, and what they do not leave. */
  readonly baseDirectory?: string | undefined;
  /** References `{ "$env": "NAME" }` of the spec may read the host's environment. */
  readonly readsEnvironment: boolean;
}

/** What a host says of a spec beside the spec. */
export interface DataToolOptions {
  /** Absolute: where relative paths of the spec start, and what they do not leave; without it such a spec is refused. */
  readonly baseDirectory?: string;
  /** Lets `{ "$env": "NAME" }` read the host's environment; only for a spec you wrote yourself. No unless said. */
  readonly readsEnvironment?: boolean;
}

// Not a property: code of a package could give its tools any origin.
const origins = new WeakMap<Tool, DataToolOrigin>();

/**
 * Makes a tool of a spec alone: the executor of its `type` does the work. The spec is checked, copied and frozen.
 * @throws AiwError `tool_definition_invalid`, naming every wrong field.
 */
export function defineDataTool(definition: DataToolDefinition, options: DataToolOptions = {}): Tool {
  const { baseDirectory, readsEnvironment = false } = options;
  return createDataTool(toSpec(definition), { baseDirectory, readsEnvironment });
}

/** Makes a tool of a spec that was checked and frozen. */
export function createDataTool(spec: ToolSpec, origin: DataToolOrigin): Tool {
  const tool: Tool = Object.freeze({
    [TOOL_BRAND]: true as const,
    contractVersion: CONTRACT_VERSION,
    spec,
    execute: () => {
      throw new ToolError(
        "executor_missing",
        `${spec.name} is run by an executor for the type ${JSON.stringify(spec.type)}.`,
      );
    },
  });
  origins.set(tool, Object.freeze({ ...origin }));
  return tool;
}

/** Says where a tool that is data came from; undefined for tools of code. */
export function dataToolOrigin(tool: Tool): DataToolOrigin | undefined {
  return origins.get(tool);
}

function toSpec(definition: DataToolDefinition): ToolSpec {
  if (!isRecord(definition)) throw invalid("the spec", [{ pointer: "", message: "must be an object" }]);
  const { metadata = {} } = definition;
  const spec = isRecord(metadata) ? { ...definition, metadata: toMetadata(metadata) } : definition;
  const issues = validateSpec(spec);
  if (issues.length > 0) throw invalid(JSON.stringify(definition.name), issues);
  return freezeDeep(structuredClone(spec) as ToolSpec);
}

function toMetadata({ effects, ...rest }: NonNullable<DataToolDefinition["metadata"]>): object {
  return {
    tags: [],
    permissions: [],
    ...rest,
    effects: effects === undefined || isRecord(effects) ? toEffects(effects) : effects,
  };
}

function invalid(name: string, issues: readonly { readonly pointer: string; readonly message: string }[]): AiwError {
  const lines = issues.map(({ pointer, message }) => `${pointer || "/"} ${message}`);
  return new AiwError("tool_definition_invalid", `Tool ${name}: ${lines.join("; ")}.`, {
    fix: "Correct the fields named in the spec.",
    details: { issues },
  });
}
