import type { DiscoveryReport, ToolEffects, ToolEntry } from "@aiw/core";
import type { CliIo } from "../../io.ts";
import { toColumns } from "../../output/columns.ts";
import { formatFact, formatFinding, formatShadowed } from "../../output/format-report.ts";
import { oneLine } from "../../output/one-line.ts";
import { printLine } from "../../output/print.ts";
import { findingsFor, type Listing } from "./listing.ts";

/** Tells it to people: the tools, and apart from them what is wrong. */
export function printListing({ entries, report, left = [], toolset }: Listing, io: CliIo): void {
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
