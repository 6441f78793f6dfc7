import type { DiscoveryReport, ToolMatch } from "@aiw/core";
import type { Command } from "../command.ts";
import type { CliIo } from "../io.ts";
import { EXIT } from "../exit-codes.ts";
import { toColumns } from "../output/columns.ts";
import { oneLine } from "../output/one-line.ts";
import { printJson, printLine } from "../output/print.ts";
import { wrapLines } from "../output/wrap-lines.ts";
import { sayLeftOut } from "../output/say-left-out.ts";
import { UsageError } from "../usage-error.ts";
import { discoverProject } from "./discover-project.ts";
import { FROZEN_HELP, FROZEN_OPTION, isFrozen } from "./frozen-option.ts";
import { sayNoProject } from "./say-no-project.ts";
import { selectTools } from "./select-tools.ts";
import { CALLER_HELP, CALLER_OPTION } from "./caller/caller-option.ts";
import { sayHidden } from "./caller/say-hidden.ts";
import { TOOLSET_HELP, TOOLSET_OPTION } from "./toolset-option.ts";

/** Tools that `--limit` may ask for. */
const MAX_LIMIT = 100;

/** `aiw search TEXT` */
export const search: Command = {
  name: "search",
  summary: "Tools that fit a description",
  help: `Usage: aiw search TEXT... [--limit N] [--toolset NAME] [--principal ID] [--role NAME] [--frozen] [--json] [--cwd DIR]

Finds tools by words: names, descriptions, parameters and tags; spelling may be off by a letter or two.
--limit    how many to show, 1 to ${MAX_LIMIT}; 8 unless given
${TOOLSET_HELP}
${CALLER_HELP}
${FROZEN_HELP}
Exit code 1 when nothing fits.`,
  options: { limit: { type: "string" }, ...TOOLSET_OPTION, ...CALLER_OPTION, ...FROZEN_OPTION },
  positionals: { min: 1, max: 100 },
  async run({ io, cwd, json, positionals, flags, lists }) {
    const limit = readLimit(flags["limit"]);
    const registry = await discoverProject(io, { projectDir: cwd, frozen: isFrozen(flags) });
    const selection = await selectTools(registry, { flags, lists });
    await registry.load();
    const query = positionals.join(" ");
    const matches = await selection.tools.search(query, { limit });
    if (json) printJson(io.stdout, { query, matches });
    else if (matches.length > 0) printLine(io.stdout, toText(matches, io.columns));
    if (matches.length === 0) printLine(io.stderr, wrapLines(sayNothing(query, registry.report, io), io.talkColumns));
    sayLeftOut(registry.report, io);
    sayHidden(selection, { registry, io });
    return matches.length === 0 ? EXIT.failed : EXIT.ok;
  },
};

function sayNothing(query: string, report: DiscoveryReport, io: Pick<CliIo, "environment">): string {
  const { dir, mode } = report.project;
  const none = mode === "none" ? sayNoProject(report, io) : undefined;
  if (none !== undefined) return `No tool fits ${JSON.stringify(query)}. ${none.reason} ${none.fix}`;
  return `No tool in ${oneLine(dir)} fits ${JSON.stringify(query)}. All of them: aiw list`;
}

function readLimit(flag: string | boolean | undefined): number {
  if (typeof flag !== "string") return 8;
  if (/^\d{1,3}$/.test(flag) && Number(flag) >= 1 && Number(flag) <= MAX_LIMIT) return Number(flag);
  throw new UsageError(`--limit is a whole number from 1 to ${MAX_LIMIT}, not ${JSON.stringify(flag)}.`);
}

function toText(matches: readonly ToolMatch[], columns: number | undefined): string {
  const rows = matches.map(({ name, id, description }) => [name, id, description.replaceAll(/\s+/g, " ")]);
  return toColumns(rows, columns);
}
