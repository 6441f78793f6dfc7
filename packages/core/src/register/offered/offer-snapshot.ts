import type { ToolSpec } from "../../contract/tool-spec.ts";
import type { CompileOptions } from "../../offer/compile-definition.ts";
import { compileDefinitions, type CompiledDefinitions } from "../../offer/to-definition.ts";
import type { ResolvedNames } from "../resolve-names.ts";
import { selectSpecs } from "./select-specs.ts";

/** Choices of tools whose lists are remembered for one snapshot; the oldest give way, the list of all tools never does. */
const MOST_CHOICES = 32;

interface KeptLists {
  readonly whole: Map<string, CompiledDefinitions>;
  readonly chosen: Map<string, CompiledDefinitions>;
}

const memory = new WeakMap<ResolvedNames, KeptLists>();

/**
 * Compiles the definitions of all that own a name, once for each way of saying them: a snapshot never changes.
 * @throws AiwError `format_unsupported`, `too_many_tools`
 */
export function offerSnapshot(names: ResolvedNames, options: CompileOptions): CompiledDefinitions {
  const { whole } = listsOf(names);
  const key = toKey(options);
  const known = whole.get(key);
  if (known !== undefined) return known;
  const specs = [...names.byName.values()].flatMap(({ spec }) => (spec === undefined ? [] : [spec]));
  const compiled = compileDefinitions(specs, options);
  // What may still change has nothing to remember.
  if (specs.every(isSettled)) whole.set(key, compiled);
  return compiled;
}

/**
 * The same for the tools that are named; what cannot be offered under such a name is left out with a reason.
 * @throws AiwError `format_unsupported`, `too_many_tools`
 */
export function offerChosen(
  names: ResolvedNames,
  only: readonly string[],
  options: CompileOptions,
): CompiledDefinitions {
  const { chosen } = listsOf(names);
  const key = `${toKey(options)} ${JSON.stringify([...new Set(only)])}`;
  const known = chosen.get(key);
  if (known !== undefined) return known;
  const { specs, missing } = selectSpecs(names, only);
  const { omitted, ...compiled } = compileDefinitions(specs, options);
  const offered = Object.freeze({ ...compiled, omitted: Object.freeze([...omitted, ...missing]) });
  if (!specs.every(isSettled)) return offered;
  chosen.set(key, offered);
  const [oldest] = chosen.size > MOST_CHOICES ? chosen.keys() : [];
  if (oldest !== undefined) chosen.delete(oldest);
  return offered;
}

function listsOf(names: ResolvedNames): KeptLists {
  const known = memory.get(names);
  if (known !== undefined) return known;
  const lists: KeptLists = { whole: new Map(), chosen: new Map() };
  memory.set(names, lists);
  return lists;
}

function toKey({ format, shape }: CompileOptions): string {
  return `${format} ${shape ?? ""}`;
}

function isSettled(spec: ToolSpec): boolean {
  return Object.isFrozen(spec);
}
