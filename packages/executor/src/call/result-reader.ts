import type { Principal, ToolCatalog, ToolEntry, ToolSpec } from "@aiw/core";

/** Who made the call that a result is of. */
export interface ResultOwner {
  readonly sessionId: string | undefined;
  readonly principal: Principal | undefined;
}

/** For whom a kept result is read; one of another conversation, or of another caller where one is named, is not given. */
export interface ResultReader {
  readonly sessionId: string;
  /** Undefined stands for nobody; left out, any caller of the conversation. */
  readonly principal?: Principal | undefined;
}

/** Tag of tools that read kept results back, whatever their name. */
export const READS_RESULTS = "reads-results";

/** True for a tool with which a model reads what it was given before. */
export function isResultReader(spec: ToolSpec | undefined): boolean {
  return spec?.metadata.tags.includes(READS_RESULTS) === true;
}

/** The name of the tool that reads results back; undefined where none is offered. */
export function findResultReader(catalog: ToolCatalog, isOffered: (tool: ToolEntry) => boolean): string | undefined {
  return catalog.specs({ tags: [READS_RESULTS] }).find(({ name }) => {
    const entry = catalog.getEntry(name);
    return entry !== undefined && isOffered(entry);
  })?.name;
}
