import type { ToolSpec } from "../../contract/tool-spec.ts";
import type { OmittedDefinition } from "../../offer/compile-definition.ts";
import { nearestNames } from "../../schema/nearest-names.ts";
import type { ResolvedNames } from "../resolve-names.ts";

/** The specs somebody named, and the names that give none. */
export interface SelectedSpecs {
  readonly specs: readonly ToolSpec[];
  readonly missing: readonly OmittedDefinition[];
}

/** Looks names and full ids up, each once; what cannot be offered under its own name is missing, with a reason. */
export function selectSpecs({ byName, byId }: ResolvedNames, only: Iterable<string>): SelectedSpecs {
  const specs = new Set<ToolSpec>();
  const missing: OmittedDefinition[] = [];
  for (const name of new Set(only)) {
    const entry = byName.get(name) ?? byId.get(name);
    if (entry === undefined) missing.push(toUnknown(name, byName));
    else if (byName.get(entry.name) !== entry) missing.push({ name, ...SHADOWED });
    else if (entry.spec === undefined) missing.push({ name, ...NOT_LOADED });
    else specs.add(entry.spec);
  }
  return { specs: [...specs], missing };
}

const SHADOWED = { reason: "another tool owns its name", fix: "Set tools.prefer to its package." };
const NOT_LOADED = { reason: "its definition is in code that is not loaded", fix: "await registry.load() first." };

function toUnknown(name: string, byName: ResolvedNames["byName"]): OmittedDefinition {
  const [nearest] = nearestNames(name, byName.keys(), 1);
  const fix = nearest === undefined ? "Take names from registry.specs()." : `Did you mean ${nearest}?`;
  return { name, reason: "no tool is called so", fix };
}
