import type { Finding } from "../repo/finding.ts";
import type { Repo } from "../repo/repo.ts";
import { isSource } from "../repo/workspaces.ts";

/** The page that explains every command. */
export const CLI_PAGE = "docs/reference/cli.md";

/** Each file whose help begins with a usage is a command. */
const COMMANDS = /^packages\/cli\/src\/commands\/[^/]+\.ts$/u;

/** What every command has; said once for all. */
const COMMON: ReadonlySet<string> = new Set(["--json", "--cwd", "--help"]);

const RULE = `the headings of ${CLI_PAGE} name each command and each of its flags, and no other`;

/** Finds commands and flags that the page's headings lack, and headings that name what no command has. */
export function checkCliPage(repo: Repo): Finding[] {
  const commands = new Map(repo.files.flatMap((file) => readCommand(file, repo)));
  const explained = readHeadings(repo.read(CLI_PAGE) ?? "");
  return [
    ...[...commands].flatMap(([name, flags]) => judge(name, flags, explained.get(name))),
    ...[...explained.keys()]
      .filter((name) => !commands.has(name))
      .map((name) => tell(`There is no command aiw ${name}.`)),
  ];
}

function judge(name: string, flags: ReadonlySet<string>, explained: ReadonlySet<string> | undefined): Finding[] {
  if (explained === undefined) return [tell(`Write a heading like "## \`aiw ${name} …\`".`)];
  const missing = [...flags].filter((flag) => !explained.has(flag));
  const stale = [...explained].filter((flag) => !flags.has(flag));
  return [
    ...missing.map((flag) => tell(`Name ${flag} in a heading of aiw ${name}, and say below what it does.`)),
    ...stale.map((flag) => tell(`aiw ${name} has no ${flag}.`)),
  ];
}

/** A command and the flags its help speaks of. */
function readCommand(file: string, repo: Repo): [string, ReadonlySet<string>][] {
  if (!COMMANDS.test(file) || !isSource(file)) return [];
  const help = /help: `(?<help>Usage: aiw [^`]*)`/u.exec(repo.read(file) ?? "")?.groups?.["help"];
  const name = /^Usage: aiw (?<name>\w+)/u.exec(help ?? "")?.groups?.["name"];
  return help === undefined || name === undefined ? [] : [[name, readFlags(help)]];
}

/** Commands by the flags their headings name; one command may have several headings. */
function readHeadings(page: string): Map<string, ReadonlySet<string>> {
  const headings = new Map<string, ReadonlySet<string>>();
  for (const line of page.split("\n")) {
    const name = /^## `aiw (?<name>\w+)/u.exec(line)?.groups?.["name"];
    if (name !== undefined) headings.set(name, new Set([...(headings.get(name) ?? []), ...readFlags(line)]));
  }
  return headings;
}

function readFlags(text: string): Set<string> {
  const flags = [...text.matchAll(/(?<![\w-])--[a-z][a-z-]*/gu)].map(([flag]) => flag);
  return new Set(flags.filter((flag) => !COMMON.has(flag)));
}

function tell(repair: string): Finding {
  return { file: CLI_PAGE, rule: RULE, repair };
}
