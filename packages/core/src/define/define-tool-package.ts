import type { StandardSchemaV1 } from "@standard-schema/spec";
import {
  CONTRACT_VERSION,
  TOOL_BRAND,
  TOOL_PACKAGE_BRAND,
  type Parse,
  type Tool,
  type ToolPackage,
} from "../contract/tool.ts";
import { AiwError } from "../errors/aiw-error.ts";
import { freezeDeep } from "../schema/freeze-deep.ts";
import { toJsonSchema } from "../schema/to-json-schema.ts";
import { copyMethodOrigin } from "./decorate/to-method-tool.ts";
import { toParse } from "./to-parse.ts";

/** Tools that share options, as an author writes them. */
export interface ToolPackageDefinition {
  /** Settings an operator gives; their JSON Schema goes into the static manifest, secrets into references. */
  readonly options?: StandardSchemaV1;
  readonly tools: readonly Tool[];
}

/**
 * Makes a tool package; a tool that names no options schema of its own gets the package's.
 * @throws AiwError `tool_definition_invalid` when two tools share a name.
 */
export function defineToolPackage({ options, tools }: ToolPackageDefinition): ToolPackage {
  assertDistinctNames(tools);
  const parseOptions = options && toParse(options);
  return Object.freeze({
    [TOOL_PACKAGE_BRAND]: true as const,
    contractVersion: CONTRACT_VERSION,
    ...(options && { optionsSchema: freezeDeep(toJsonSchema(options, "input")) }),
    tools: Object.freeze(
      tools.map((tool) => (parseOptions && !tool.parseOptions ? withOptions(tool, parseOptions) : tool)),
    ),
  });
}

/** Member by member: a spread would lose what an instance of a class has through its prototype. */
function withOptions(tool: Tool, parseOptions: Parse<unknown>): Tool {
  return Object.freeze({
    [TOOL_BRAND]: true as const,
    contractVersion: tool.contractVersion,
    ...copyMethodOrigin(tool),
    spec: tool.spec,
    parseOptions,
    execute: tool.execute.bind(tool),
    ...(tool.parseInput && { parseInput: tool.parseInput.bind(tool) }),
    ...(tool.parseOutput && { parseOutput: tool.parseOutput.bind(tool) }),
    ...(tool.load && { load: tool.load.bind(tool) }),
    ...(tool.assess && { assess: tool.assess.bind(tool) }),
    ...(tool.preview && { preview: tool.preview.bind(tool) }),
  });
}

function assertDistinctNames(tools: ToolPackageDefinition["tools"]): void {
  const folded = new Map<string, string>();
  for (const { spec } of tools) {
    const key = spec.name.toLowerCase();
    const earlier = folded.get(key);
    if (earlier !== undefined) {
      throw new AiwError(
        "tool_definition_invalid",
        `Two tools of the package are called ${earlier} and ${spec.name}.`,
        {
          fix: `Rename one of them; names that differ by case alone are one name to a model.`,
        },
      );
    }
    folded.set(key, spec.name);
  }
}
