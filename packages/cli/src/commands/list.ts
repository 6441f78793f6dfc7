import type { DiscoveryReport, Finding, ToolEffects, ToolEntry } from "@aiw/core";
import { createTrustStore, listTools, type DiscoverToolsOptions } from "@aiw/core/node";
import type { Command } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import type { CliIo } from "../io.ts";
import { toColumns } from "../output/columns.ts";
import { formatFact, formatFinding, formatShadowed, problemsOf } from "../output/format-report.ts";
import { oneLine } from "../output/one-line.ts";
import { printJson, printLine } from "../output/print.ts";
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
    else printPeople(listing, io);
    return EXIT.ok;
  },
};

interface Listing {
  readonly entries: readonly ToolEntry[];
  readonly report: DiscoveryReport;
  /** What is installed and not enabled, when it was asked for. */
  readonly left: readonly Finding[] | undefined;
  readonly toolset: string | boolean | undefined;
}

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

/** Problems, and packages whose tools are missing from the list because only running them would name these. */
function findingsFor(report: DiscoveryReport): Finding[] {
  const unlisted = report.found.filter(({ tools }) => tools === undefined).flatMap(({ notes }) => notes);
  return [...problemsOf(report), ...unlisted.filter(({ code }) => code === "slow_declaration")];
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

function printPeople({ entries, report, left = [], toolset }: Listing, io: CliIo): void {
  const { columns } = io;
  if (entries.length > 0) printLine(io.stdout, toColumns(entries.map(toRow), columns));
  else printLine(io.stdout, sayNone(report, toolset));
  if (left.length > 0) {
    const rows = left.map(({ package: name, version, tool, code, reason }) => [
      [name, tool].filter(Boolean).join("/") + (version === undefined ? "" : `@${version}`),
      code,
      reason,
    ]);
    printLine(io.stdout, `\nNot enabled:\n${toColumns(rows, columns)}`);
  }
  const { dir, dependencies } = report.project;
  // Standard output is the list alone, for whoever counts its lines.
  if (entries.length > 0)
    printLine(io.stderr, formatFact("project", `${dir} (${dependencies} dependencies read)`, columns));
  for (const shadowed of report.shadowed) printLine(io.stderr, formatShadowed(shadowed, columns));
  const told = new Set(left);
  for (const finding of findingsFor(report))
    if (!told.has(finding)) printLine(io.stderr, formatFinding(finding.severity, finding, columns));
}

function toRow({ name, origin, spec }: ToolEntry): string[] {
  return [
    name,
    `${origin.package ?? origin.source}${origin.version === undefined ? "" : `@${origin.version}`}`,
    spec === undefined ? "?" : sayEffects(spec.metadata.effects),
    spec === undefined ? "(defined in code that loads when it is needed)" : firstSentence(spec.description),
  ];
}

function sayNone({ project, found }: DiscoveryReport, toolset: string | boolean | undefined): string {
  const { dir, dependencies, mode } = project;
  if (mode === "none") return `No tools: ${oneLine(dir)} is in no project. Go to one, or name it: aiw list --cwd DIR`;
  if (typeof toolset === "string" && found.length > 0)
    return `No tools of the toolset ${toolset} in ${oneLine(dir)}. All of them: aiw list`;
  const read = dependencies === 1 ? "1 dependency" : `${dependencies} dependencies`;
  return `No tools in ${oneLine(dir)} (${read} read). Install some: npm install @aiw/plugin-filesystem`;
}

function sayEffects({ readOnly, destructive, openWorld }: ToolEffects): string {
  const what = readOnly ? "reads" : destructive ? "may overwrite" : "adds";
  return openWorld ? `${what}, also outside` : what;
}

function firstSentence(text: string): string {
  return (/^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text).replaceAll(/\s+/g, " ");
}
