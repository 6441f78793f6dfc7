import type { ToolSpec } from "../contract/tool-spec.ts";
import type { CompileOptions } from "../offer/compile-definition.ts";
import { compileDefinitions, type CompiledDefinitions } from "../offer/to-definition.ts";
import type { ResolvedNames } from "./resolve-names.ts";

const memory = new WeakMap<ResolvedNames, Map<string, CompiledDefinitions>>();

/**
 * Compiles the definitions of all that own a name, once for each way of saying them: a snapshot never changes.
 * @throws AiwError `format_unsupported`, `too_many_tools`
 */
export function offerSnapshot(names: ResolvedNames, options: CompileOptions): CompiledDefinitions {
  const key = `${options.format} ${options.shape ?? ""}`;
  const known = memory.get(names)?.get(key);
  if (known !== undefined) return known;
  const specs = [...names.byName.values()].flatMap(({ spec }) => (spec === undefined ? [] : [spec]));
  const compiled = compileDefinitions(specs, options);
  // What may still change has nothing to remember.
  if (specs.every(isSettled)) memory.set(names, (memory.get(names) ?? new Map()).set(key, compiled));
  return compiled;
}

function isSettled(spec: ToolSpec): boolean {
  return Object.isFrozen(spec);
}
