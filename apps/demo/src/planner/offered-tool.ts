import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";

import { isRecord, ownField, stringsOf } from "./json.ts";
import type { JsonRecord } from "./json.ts";

/** What a tool definition in the call options tells about a tool. */
export interface OfferedTool {
  name: string;
  description: string;
  properties: Readonly<Record<string, JsonRecord>>;
  required: readonly string[];
}

/** Reads the offered function tools; tools run by a provider cannot be called from here. */
export function toOfferedTools(options: Pick<LanguageModelV4CallOptions, "tools" | "toolChoice">): OfferedTool[] {
  const choice = options.toolChoice;
  if (choice?.type === "none") return [];
  const tools = (options.tools ?? []).flatMap((tool) =>
    tool.type === "function" ? [toOfferedTool(tool.name, tool.description, tool.inputSchema)] : [],
  );
  return choice?.type === "tool" ? tools.filter(({ name }) => name === choice.toolName) : tools;
}

/** The lower-case words of a tool's name: `readFile` and `read_file` give `read` and `file`. */
export function nameWords(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/gu, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/u)
    .filter((word) => word !== "");
}

function toOfferedTool(name: string, description: string | undefined, schema: unknown): OfferedTool {
  const declared = ownField(schema, "properties");
  const properties = Object.fromEntries(
    Object.entries(isRecord(declared) ? declared : {}).map(([key, value]) => [key, isRecord(value) ? value : {}]),
  );
  return { name, description: description ?? "", properties, required: stringsOf(ownField(schema, "required")) };
}
