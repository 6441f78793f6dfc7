import { CONTRACT_VERSION, TOOL_BRAND, type Tool } from "../contract/tool.ts";
import type { ToolSpec } from "../contract/tool-spec.ts";
import { AiwError } from "../errors/aiw-error.ts";
import { describeParameters } from "../offer/describe-parameters.ts";
import { freezeDeep } from "../schema/freeze-deep.ts";
import { validateSpec } from "../schema/validate-spec.ts";
import type { SpecFilter } from "./filter-specs.ts";
import type { ToolCatalog } from "./tool-catalog.ts";

/** How tools are found by a model. */
export interface FindToolsOptions {
  /** `find_tools` unless named; for a project that has a tool of that name. */
  readonly name?: string;
  /** Only tools that meet it are found. */
  readonly filter?: SpecFilter;
  /** False for a name that could not be called although its tool exists; such tools are not found. */
  readonly isCallable?: (name: string) => boolean;
}

/** What a model asks. */
export interface FindToolsInput {
  readonly query: string;
  /** 1 to 20; 8 unless named. */
  readonly limit?: number;
}

/** A tool as a model needs it to choose. */
export interface FoundTool {
  readonly name: string;
  readonly description: string;
  /** `path: string, content?: string`; empty for none. */
  readonly parameters: string;
}

/** What a model is answered. */
export interface FoundTools {
  readonly tools: readonly FoundTool[];
  /** Further tools that share words with the query. */
  readonly omitted?: number;
  readonly hint: string;
}

const DEFAULT_LIMIT = 8;
const MAX_LIMIT = 20;
/** Matches looked at, so that those left out can be counted. */
const MAX_MATCHES = 100;
const MAX_DESCRIPTION_LENGTH = 240;
const MAX_PARAMETERS_LENGTH = 240;

const FOUND = "Call the tool that fits by its name. If none does, search again in other words.";
const NOTHING = "No tool has these words. Say in other words what is to be done, and to what.";

/**
 * Makes the tool that finds tools, to be offered in place of too many.
 * @throws AiwError `tool_definition_invalid` for a name that no tool may have.
 */
export function createFindTools(
  catalog: ToolCatalog,
  { name = "find_tools", filter, isCallable = () => true }: FindToolsOptions = {},
): Tool<FindToolsInput, FoundTools> {
  const spec = toSpec(name);
  return Object.freeze({
    [TOOL_BRAND]: true as const,
    contractVersion: CONTRACT_VERSION,
    spec,
    execute: async ({ query, limit = DEFAULT_LIMIT }: FindToolsInput): Promise<FoundTools> => {
      const matches = await catalog.search(query, { limit: MAX_MATCHES, ...(filter !== undefined && { filter }) });
      const callable = matches.flatMap(({ id, name: found }) => {
        const entry = catalog.getEntry(found);
        if (entry?.id !== id || entry.spec === undefined || found === name) return [];
        return isCallable(found) ? [entry.spec] : [];
      });
      const shown = callable.slice(0, limit);
      const omitted = callable.length - shown.length;
      return {
        tools: shown.map(toFoundTool),
        ...(omitted > 0 && { omitted }),
        hint: shown.length > 0 ? FOUND : NOTHING,
      };
    },
  });
}

function toFoundTool(spec: ToolSpec): FoundTool {
  const parameters = describeParameters(spec)
    .filter(({ name, path }) => name === path)
    .map(({ name, required, type }) => `${name}${required ? "" : "?"}: ${type}`);
  return {
    name: spec.name,
    description: shorten(spec.description.replaceAll(/\s+/gu, " ").trim(), MAX_DESCRIPTION_LENGTH),
    parameters: shorten(parameters.join(", "), MAX_PARAMETERS_LENGTH),
  };
}

/** Cuts between characters, never within one. */
function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/u, "")}…`;
}

function toSpec(name: string): ToolSpec {
  const spec: ToolSpec = {
    name,
    title: "Find tools",
    description:
      "Finds tools by what they do. Many more tools exist than are listed: before saying that something cannot be done, search for it here; tools that are found can be called in the next step.",
    type: "function",
    inputSchema: {
      type: "object",
      properties: {
        query: {
          type: "string",
          minLength: 1,
          maxLength: 1000,
          description: "What is to be done, in a few words: a verb and a thing.",
        },
        limit: {
          type: "integer",
          minimum: 1,
          maximum: MAX_LIMIT,
          default: DEFAULT_LIMIT,
          description: "Tools at most.",
        },
      },
      required: ["query"],
      additionalProperties: false,
    },
    instructions: {
      expectedOutput: "tools (name, description, parameters), the best first; omitted, how many more there are; hint.",
      examples: [{ when: "find what renames a file", input: { query: "rename a file" } }],
    },
    metadata: {
      tags: ["meta"],
      effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
      permissions: [],
    },
  };
  const [issue] = validateSpec(spec);
  if (issue !== undefined) {
    throw new AiwError(
      "tool_definition_invalid",
      `find_tools cannot be called ${JSON.stringify(name)}: ${issue.message}`,
      {
        fix: "Use letters, digits and _, at most 64 characters.",
      },
    );
  }
  return freezeDeep(spec);
}
