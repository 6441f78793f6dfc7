import type { ToolEntry } from "@aiw/core";
import { createTrustStore, listTools, type DiscoverToolsOptions } from "@aiw/core/node";
import type { Command } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import type { CliIo } from "../io.ts";
import { printJson } from "../output/print.ts";
import { findingsFor, type Listing } from "./list/listing.ts";
import { TOOLSET_HELP, TOOLSET_OPTION } from "./toolset-option.ts";

/** `aiw list` */
export const list: Command = {
  name: "list",
  summary: "Tools of the project, without running their code",
  help: `Usage: aiw list [--all] [--toolset NAME] [--json] [--cwd DIR]

Lists the tools of the project's installed packages. No package's code runs.
Problems go to stderr, or with --json into "findings"; aiw doctor shows more.
--all      also what is installed and not enabled; reads every installed package
${TOOLSET_HELP}`,
  options: { all: { type: "boolean" }, ...TOOLSET_OPTION },
  positionals: { min: 0, max: 0 },
  async run({ io, cwd, json, flags: { all, toolset } }) {
    const options = { projectDir: cwd, inventory: all === true };
    const { entries, report } =
      typeof toolset === "string" ? await listToolset(io, toolset, options) : await listProject(io, options);
    const listing: Listing = { entries, report, left: all === true ? report.notEnabled : undefined, toolset };
    if (json) printJson(io.stdout, toJson(listing));
    else await (await import("./list/print-listing.ts")).printListing(listing, io);
    return EXIT.ok;
  },
};

type ListedTools = Pick<Listing, "entries" | "report">;

/** Needs no registry, which would be most of the command's start. */
function listProject({ environment }: CliIo, options: DiscoverToolsOptions): Promise<ListedTools> {
  return listTools(options, { environment, trust: createTrustStore({ environment }) });
}

async function listToolset(io: CliIo, toolset: string, options: DiscoverToolsOptions): Promise<ListedTools> {
  const { discoverProject } = await import("./discover-project.ts");
  const registry = await discoverProject(io, options);
  return { entries: registry.toolset(toolset).entries(), report: registry.report };
}

function toJson({ entries, report, left }: Listing): object {
  const { project, shadowed } = report;
  return {
    project,
    tools: entries.map(toListed),
    findings: findingsFor(report),
    shadowed,
    ...(left && { notEnabled: left }),
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
