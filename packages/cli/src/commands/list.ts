import type { ToolEntry } from "@aiw/core";
import { createTrustStore, listTools, type DiscoverToolsOptions } from "@aiw/core/node";
import type { Command, Invocation } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import type { CliIo } from "../io.ts";
import { printJson } from "../output/print.ts";
import { findingsFor, type Listing } from "./list/listing.ts";
import { CALLER_HELP, CALLER_OPTION } from "./caller/caller-option.ts";
import { FROZEN_HELP, FROZEN_OPTION, isFrozen } from "./frozen-option.ts";
import { TOOLSET_HELP, TOOLSET_OPTION } from "./toolset-option.ts";

/** `aiw list` */
export const list: Command = {
  name: "list",
  summary: "Tools of the project, without running their code",
  help: `Usage: aiw list [--all] [--toolset NAME] [--principal ID] [--role NAME] [--frozen] [--json] [--cwd DIR]

Lists the tools of the project's installed packages. No package's code runs.
Problems go to stderr, or with --json into "findings"; aiw doctor shows more.
--all      also what is installed and not enabled; reads every installed package
${TOOLSET_HELP}
${CALLER_HELP}
${FROZEN_HELP}`,
  options: { all: { type: "boolean" }, ...TOOLSET_OPTION, ...CALLER_OPTION, ...FROZEN_OPTION },
  positionals: { min: 0, max: 0 },
  async run({ io, cwd, json, flags, lists }) {
    const { all, toolset, principal } = flags;
    const options = { projectDir: cwd, inventory: all === true, frozen: isFrozen(flags) };
    const isSelected = [toolset, principal, lists["role"]].some((flag) => flag !== undefined);
    const found = isSelected ? await listSelected(io, { flags, lists, options }) : await listProject(io, options);
    const listing: Listing = { ...found, left: all === true ? found.report.notEnabled : undefined, toolset };
    if (json) printJson(io.stdout, toJson(listing));
    else await (await import("./list/print-listing.ts")).printListing(listing, io);
    return EXIT.ok;
  },
};

type ListedTools = Pick<Listing, "entries" | "report" | "selection">;

/** Needs no registry, which would be most of the command's start. */
function listProject({ environment }: CliIo, options: DiscoverToolsOptions): Promise<ListedTools> {
  return listTools(options, { environment, trust: createTrustStore({ environment }) });
}

interface Selecting extends Pick<Invocation, "flags" | "lists"> {
  readonly options: DiscoverToolsOptions;
}

async function listSelected(io: CliIo, { options, ...selecting }: Selecting): Promise<ListedTools> {
  const { discoverProject } = await import("./discover-project.ts");
  const { selectTools } = await import("./select-tools.ts");
  const registry = await discoverProject(io, options);
  const { tools, viewer, hidden } = await selectTools(registry, selecting);
  const selection = { viewer, hidden, registry };
  return { entries: tools.entries(), report: registry.report, ...(viewer !== undefined && { selection }) };
}

function toJson({ entries, report, left, selection }: Listing): object {
  const { project, shadowed } = report;
  return {
    project,
    tools: entries.map(toListed),
    findings: findingsFor(report),
    shadowed,
    ...(left && { notEnabled: left }),
    ...(selection && { notOffered: selection.hidden() }),
  };
}

function toListed({ id, name, origin, spec }: ToolEntry): object {
  return {
    name,
    id,
    package: origin.package ?? null,
    version: origin.version ?? null,
    source: origin.source,
    description: spec?.description ?? null,
    type: spec?.type ?? null,
    ...(spec && {
      effects: spec.metadata.effects,
      permissions: spec.metadata.permissions,
      category: spec.metadata.category ?? null,
      tags: spec.metadata.tags,
    }),
  };
}
