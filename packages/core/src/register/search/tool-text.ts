import { isRecord } from "../../schema/is-record.ts";
import type { ToolEntry } from "../../contract/tool-source.ts";

/** The searched fields of a tool, most telling first. */
export const SEARCH_FIELDS = ["name", "title", "tags", "description", "parameters", "package", "details"] as const;

/** One of the searched fields. */
export type SearchField = (typeof SEARCH_FIELDS)[number];

/** What a tool says of itself, as text per field. */
export type ToolText = { readonly id: string } & { readonly [field in SearchField]: string };

const MAX_FIELD_LENGTH = 4096;
const MAX_SCHEMAS = 256;

/** Gathers a tool's words; one whose definition is not loaded has a name alone. */
export function toToolText({ id, name, origin, spec }: ToolEntry): ToolText {
  const parameters = collectParameters(spec?.inputSchema);
  const { category = "", tags = [] } = spec?.metadata ?? {};
  return {
    id,
    name,
    title: bound(spec?.title ?? ""),
    tags: bound([category, ...tags].join(" ")),
    description: bound(spec?.description ?? ""),
    parameters: bound(parameters.names.join(" ")),
    package: bound(origin.package ?? ""),
    details: bound(parameters.descriptions.join(" ")),
  };
}

function bound(text: string): string {
  return text.slice(0, MAX_FIELD_LENGTH);
}

interface Parameters {
  readonly names: string[];
  readonly descriptions: string[];
}

/** Reads parameter names and descriptions, nested ones too, from at most so many schemas. */
function collectParameters(root: unknown): Parameters {
  const found: Parameters = { names: [], descriptions: [] };
  const queue: unknown[] = [root];
  for (let index = 0; index < queue.length && index < MAX_SCHEMAS; index += 1) {
    const schema = queue[index];
    if (!isRecord(schema)) continue;
    const { description, properties, items, anyOf, oneOf, allOf } = schema;
    if (index > 0 && typeof description === "string") found.descriptions.push(bound(description));
    if (isRecord(properties)) {
      found.names.push(...Object.keys(properties).slice(0, MAX_SCHEMAS));
      queue.push(...Object.values(properties).slice(0, MAX_SCHEMAS));
    }
    for (const part of [items, anyOf, oneOf, allOf]) {
      if (Array.isArray(part)) queue.push(...(part as unknown[]).slice(0, MAX_SCHEMAS));
      else queue.push(part);
    }
  }
  return found;
}
