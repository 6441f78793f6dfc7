import type { AiwConfig } from "../config/aiw-config.ts";
import type { ToolEntry } from "../contract/tool-source.ts";
import { composeReport, type ReportParts } from "../register/compose-report.ts";
import type { DiscoveryReport } from "../register/discovery-report.ts";
import type { KnownTools } from "../register/unmatched/find-unmatched.ts";
import { readSources } from "../register/read-sources.ts";
import { resolveNames } from "../register/resolve-names.ts";
import { selectEntries } from "../register/select-entries.ts";
import type { DiscoverToolsOptions } from "./discover-options.ts";
import { nodePorts } from "./discovery-ports.ts";
import { sharedModuleLoader } from "./load/module-loader.ts";
import { ProjectReader, type ReadingWorld } from "./project-reader.ts";

/** The tools of a project at one moment. */
export interface ToolListing {
  /** The entries that own a name, sorted by it; shadowed ones answer to their full id. */
  readonly entries: readonly ToolEntry[];
  readonly report: DiscoveryReport;
  /** The configuration the tools were found under. */
  readonly config: AiwConfig;
}

/**
 * Lists what `discoverTools` finds, once, without loading the registry that offers, reloads and watches.
 * @throws AiwError as `discoverTools` does
 */
export async function listTools(
  options: DiscoverToolsOptions = {},
  world: Partial<ReadingWorld> = {},
): Promise<ToolListing> {
  const whole: ReadingWorld = { ...nodePorts, modules: sharedModuleLoader, ...world };
  const setup = await new ProjectReader(options, whole).read();
  const { sources, config } = setup;
  const read = await readSources(sources);
  const selected = selectEntries(read.entries, setup);
  const started = whole.clock.now();
  const names = resolveNames(selected.entries, setup);
  const resolveMs = whole.clock.now() - started;
  const findings = [...read.findings, ...selected.findings];
  const known = { config, tools: read.entries, names };
  const report = composeReport({
    sources,
    findings,
    kept: [],
    shadowed: names.shadowed,
    findUnmatched: await openUnmatched(known),
    resolveMs,
  });
  return { entries: [...names.byName.values()], report, config };
}

/** Most projects configure nothing, and need no way to compare it. */
async function openUnmatched(known: KnownTools): Promise<ReportParts["findUnmatched"]> {
  const { tools, toolsets, policy } = known.config;
  if (tools === undefined && toolsets === undefined && policy?.rules === undefined) return undefined;
  const { findUnmatched } = await import("../register/unmatched/find-unmatched.ts");
  return (place) => findUnmatched(known, place);
}
