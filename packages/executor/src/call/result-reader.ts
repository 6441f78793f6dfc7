import type { ToolCatalog, ToolSpec } from "@aiw/core";

/** Tag of tools that read kept results back, whatever their name. */
export const READS_RESULTS = "reads-results";

/** True for a tool with which a model reads what it was given before. */
export function isResultReader(spec: ToolSpec | undefined): boolean {
  return spec?.metadata.tags.includes(READS_RESULTS) === true;
}

/** The name of the tool that reads results back; undefined where none is offered. */
export function findResultReader(catalog: ToolCatalog): string | undefined {
  return catalog.specs({ tags: [READS_RESULTS] })[0]?.name;
}
