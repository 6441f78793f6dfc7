import { resolveNames, type ResolvedNames } from "./resolve-names.ts";
import { ToolCatalog } from "./tool-catalog.ts";
import { resolveToolset, type Toolsets } from "./toolsets.ts";

/** What a toolset selects from, at the moment of each question. */
export interface ToolsetGround {
  readonly names: ResolvedNames;
  readonly toolsets: Toolsets;
}

const NO_TOOLS: ResolvedNames = resolveNames([]);

/**
 * Opens a toolset over tools and configuration that may be exchanged at any time; each snapshot is selected from once. A toolset
 * that configuration defines no longer has no tools: its conversations go on, and may call nothing.
 * @throws AiwError `toolset_unknown`, `config_invalid`
 */
export function openToolset(name: string, ground: () => ToolsetGround): ToolCatalog {
  const selected = new WeakMap<ResolvedNames, ResolvedNames>();
  const select = (): ResolvedNames => {
    const { names, toolsets } = ground();
    const known = selected.get(names) ?? resolveToolset(name, toolsets, names).names;
    selected.set(names, known);
    return known;
  };
  select();
  return new ToolCatalog(() => (Object.hasOwn(ground().toolsets, name) ? select() : NO_TOOLS));
}
