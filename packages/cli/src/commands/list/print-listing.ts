import type { DiscoveryReport, Finding, ToolEntry } from "@aiw/core";
import type { CliIo } from "../../io.ts";
import { toColumns } from "../../output/columns.ts";
import { formatFact, formatFinding, formatShadowed } from "../../output/format-report.ts";
import { groupFindings, nameSome } from "../../output/group-findings.ts";
import { printLine } from "../../output/print.ts";
import { problemsOf } from "../../output/problems-of.ts";
import { sayEffects } from "../../output/say-effects.ts";
import { wrapLines } from "../../output/wrap-lines.ts";
import type { Listing } from "./listing.ts";

/** Tells it to people: the tools, and apart from them what is wrong. */
export async function printListing(listing: Listing, io: CliIo): Promise<void> {
  const { entries, report, left = [], selection } = listing;
  const { columns, talkColumns: talk } = io;
  if (entries.length > 0) printLine(io.stdout, toColumns(entries.map(toRow), columns));
  const none = entries.length > 0 ? undefined : await (await import("./say-none.ts")).sayNone(listing, io);
  if (none !== undefined) printLine(io.stdout, wrapLines(none.text, columns));
  if (left.length > 0) printLine(io.stdout, `\nNot enabled:\n${toColumns(left.map(toLeftRow), columns)}`);
  // Standard output is the list alone, for whoever counts its lines.
  if (entries.length > 0) printLine(io.stderr, formatFact("project", sayProject(report), talk));
  for (const shadowed of report.shadowed) printLine(io.stderr, formatShadowed(shadowed, talk));
  if (selection !== undefined)
    (await import("../caller/say-hidden.ts")).sayHidden(selection, { registry: selection.registry, io });
  const unlisted = report.found.filter(({ tools }) => tools === undefined).map(({ id }) => id);
  if (unlisted.length > 0) printLine(io.stderr, formatFact("unlisted", sayUnlisted(unlisted), talk));
  const told = new Set(left);
  // What is in no project was said already.
  const problems = problemsOf(report).filter((one) => !told.has(one) && one.code !== "project_not_found");
  const narrowing = none?.narrowing.filter((one) => !told.has(one)) ?? [];
  for (const finding of groupFindings(narrowing)) printLine(io.stderr, formatFinding("disabled", finding, talk));
  for (const finding of groupFindings(problems)) printLine(io.stderr, formatFinding(finding.severity, finding, talk));
}

function toRow({ name, origin, spec }: ToolEntry): string[] {
  return [
    name,
    `${origin.package ?? origin.source}${origin.version === undefined ? "" : `@${origin.version}`}`,
    spec === undefined ? "?" : sayEffects(spec.metadata.effects),
    spec === undefined ? "(defined in code that loads when it is needed)" : firstSentence(spec.description),
  ];
}

function toLeftRow({ package: name, version, tool, code, reason }: Finding): string[] {
  return [[name, tool].filter(Boolean).join("/") + (version === undefined ? "" : `@${version}`), code, reason];
}

function sayProject({ project: { dir, dependencies } }: DiscoveryReport): string {
  return `${dir} (${dependencies === 1 ? "1 dependency" : `${dependencies} dependencies`} read)`;
}

function sayUnlisted(packages: readonly string[]): string {
  const what =
    packages.length === 1
      ? "1 package names its tools in code alone"
      : `${packages.length} packages name their tools in code alone`;
  return `${what}, which a list does not run: ${nameSome(packages)}. With their tools: aiw doctor`;
}

function firstSentence(text: string): string {
  return (/^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text).replaceAll(/\s+/g, " ");
}
