import type { ToolEntry, ToolSource } from "../contract/tool-source.ts";
import { isDifferent } from "./compare-entries.ts";
import { createEntry } from "./create-entry.ts";
import type { Finding } from "./discovery-report.ts";
import { keepLoaded, type KeptPackage, type PackageEntries } from "./keep-loaded.ts";
import { loadSpecs, readSources, type ReadSources } from "./read-sources.ts";
import { selectEntries } from "./select-entries.ts";
import type { RegistrySetup } from "./tool-project.ts";

/** What sources brought in at one moment; replaced whole, never changed. */
export interface RegistryState {
  readonly setup: RegistrySetup;
  readonly bySource: ReadSources["listed"];
  /** What is offered of it. */
  readonly entries: readonly ToolEntry[];
  readonly findings: readonly Finding[];
  readonly kept: readonly KeptPackage[];
  readonly inUse: PackageEntries;
  /** Code that alone can name tools has run. */
  readonly isExpanded: boolean;
  /** Code that alone can tell definitions has run. */
  readonly isLoaded: boolean;
}

/** What a state is made from. */
export interface StateInput {
  readonly setup: RegistrySetup;
  /** Those of the setup and those that were added. */
  readonly sources: readonly ToolSource[];
  /** What is in use: told definitions and loaded code stay. */
  readonly former: RegistryState;
}

/** The state of a registry whose sources were not asked. */
export function createState(setup: RegistrySetup): RegistryState {
  return {
    setup,
    bySource: new Map(),
    entries: [],
    findings: [],
    kept: [],
    inUse: new Map(),
    isExpanded: false,
    isLoaded: false,
  };
}

/** Asks the sources that were not asked yet; with `expand`, also for what only running code can name. */
export async function extendState(input: StateInput, { expand }: { readonly expand: boolean }): Promise<RegistryState> {
  const known = input.former.bySource;
  return settle(input, await readSources(input.sources, { known, expand }), expand);
}

/** Asks every source again, as far as the former state had gone. */
export async function reloadState(input: StateInput): Promise<RegistryState> {
  const { bySource: fallback, isExpanded: expand, isLoaded } = input.former;
  const state = settle(input, await readSources(input.sources, { fallback, expand }), expand);
  return isLoaded ? await loadState(state) : state;
}

/** Loads the definitions that only code can tell. */
export async function loadState(state: RegistryState): Promise<RegistryState> {
  const { entries, findings } = await loadSpecs(state.entries, [...state.bySource.keys()]);
  return { ...state, ...settleAgain(state, entries), findings: [...state.findings, ...findings], isLoaded: true };
}

function settle({ setup, former }: StateInput, read: ReadSources, isExpanded: boolean): RegistryState {
  const { entries: used, kept, inUse } = keepLoaded(withTold(read.entries, former.entries), former.inUse);
  const { entries, findings } = selectEntries(used, setup);
  return {
    setup,
    bySource: read.listed,
    entries,
    findings: [...read.findings, ...findings],
    kept,
    inUse,
    isExpanded,
    isLoaded: former.isLoaded && isExpanded,
  };
}

/** Definitions that code has told stay known while the version is the same; the code will not run again to tell them. */
function withTold(listed: readonly ToolEntry[], former: readonly ToolEntry[]): ToolEntry[] {
  const told = new Map(former.filter(({ spec }) => spec !== undefined).map((entry) => [entry.id, entry]));
  return listed.map((entry) => {
    const known = entry.spec === undefined ? told.get(entry.id) : undefined;
    if (known === undefined || known.origin.version !== entry.origin.version) return entry;
    return isDifferent(known.options, entry.options) ? withOptions(known, entry.options) : known;
  });
}

/** What configuration says of a tool holds at once, whoever told its definition. */
function withOptions(entry: ToolEntry, options: unknown): ToolEntry {
  const { id, name, origin, spec } = entry;
  return createEntry({
    id,
    name,
    origin,
    ...(spec && { spec }),
    options,
    ...(entry.isLoaded && { isLoaded: () => entry.isLoaded?.() === true }),
    ...(entry.resolveCode && { resolveCode: entry.resolveCode }),
    load: () => entry.load(),
  });
}

/** What is in use are the entries whose definitions are known now. */
function settleAgain(
  { inUse }: RegistryState,
  entries: readonly ToolEntry[],
): Pick<RegistryState, "entries" | "inUse"> {
  const loaded = new Map(entries.map((entry) => [entry.id, entry]));
  return {
    entries,
    inUse: new Map([...inUse].map(([key, group]) => [key, group.map((entry) => loaded.get(entry.id) ?? entry)])),
  };
}
