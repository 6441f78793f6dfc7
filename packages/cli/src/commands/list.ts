import type { ToolEffects, ToolEntry, ToolRegistry } from "@aiw/core";
import { discoverTools } from "@aiw/core/node";
import type { Command } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { toColumns } from "../output/columns.ts";
import { formatFinding, formatShadowed, problemsOf } from "../output/format-report.ts";
import { printJson, printLine } from "../output/print.ts";

/** `aiw list` */
export const list: Command = {
  name: "list",
  summary: "Tools of the project, without running their code",
  help: `Usage: aiw list [--json] [--cwd DIR]

Lists the tools of the project's installed packages. No package's code runs.
Problems go to stderr, or with --json into "findings"; aiw doctor shows more.`,
  options: {},
  positionals: { min: 0, max: 0 },
  async run({ io, cwd, json }) {
    const registry = await discoverTools({ projectDir: cwd });
    if (json) printJson(io.stdout, toListing(registry));
    else printPeople(registry, io);
    return EXIT.ok;
  },
};

function toListing(registry: ToolRegistry): object {
  const { project, shadowed } = registry.report;
  return { project, tools: registry.entries().map(toListed), findings: problemsOf(registry.report), shadowed };
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

function printPeople(registry: ToolRegistry, io: Parameters<Command["run"]>[0]["io"]): void {
  const entries = registry.entries();
  if (entries.length === 0) {
    const { dir, dependencies } = registry.report.project;
    printLine(
      io.stdout,
      `No tools in ${dir} (${dependencies} dependencies read). Install some: npm install @aiw/plugin-filesystem`,
    );
  } else {
    const rows = entries.map(({ name, origin, spec }) => [
      name,
      `${origin.package ?? origin.source}${origin.version === undefined ? "" : `@${origin.version}`}`,
      spec === undefined ? "?" : sayEffects(spec.metadata.effects),
      spec === undefined ? "(defined in code that loads when it is needed)" : firstSentence(spec.description),
    ]);
    printLine(io.stdout, toColumns(rows, io.columns));
  }
  for (const shadowed of registry.report.shadowed) printLine(io.stderr, formatShadowed(shadowed));
  for (const finding of problemsOf(registry.report)) printLine(io.stderr, formatFinding(finding.severity, finding));
}

function sayEffects({ readOnly, destructive, openWorld }: ToolEffects): string {
  const what = readOnly ? "reads" : destructive ? "may overwrite" : "adds";
  return openWorld ? `${what}, also outside` : what;
}

function firstSentence(text: string): string {
  return /^.*?[.!?](?=\s|$)/s.exec(text)?.[0].replaceAll(/\s+/g, " ") ?? text;
}
