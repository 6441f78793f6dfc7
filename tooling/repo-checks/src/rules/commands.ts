import type { Finding } from "../repo/finding.ts";
import type { Repo } from "../repo/repo.ts";
import type { Manifest } from "../repo/workspaces.ts";

/** What pnpm does by itself, as far as our pages use it. */
const PNPM_COMMANDS = ["add", "dlx", "exec", "install", "pack", "publish", "remove", "run"];

/** Finds a documented command that nothing answers to. */
export function judgeCommand(repo: Repo, file: string, command: string): Finding[] {
  const words = command.trim().split(/\s+/u);
  const script = /^(?:npx (?:--yes |-y )?pnpm@\d+|pnpm) (?:run )?(?<script>[a-z][\w:-]*)/u.exec(command)?.groups?.[
    "script"
  ];
  if (script !== undefined) {
    const { scripts = {} } = JSON.parse(repo.read("package.json") ?? "{}") as Manifest;
    if (script in scripts || PNPM_COMMANDS.includes(script)) return [];
    return [missing(file, command, `the root package.json has no script "${script}"`)];
  }
  const subcommand = words[0] === "aiw" ? words[1] : words[0] === "npx" && words[1] === "aiw" ? words[2] : undefined;
  if (subcommand === undefined || !/^[a-z]+$/u.test(subcommand)) return [];
  const known = knownSubcommands(repo);
  return known === undefined || known.has(subcommand)
    ? []
    : [missing(file, command, `aiw has no command "${subcommand}"`)];
}

/** The commands that the pinned help lists; undefined before there is a pin. */
function knownSubcommands(repo: Repo): Set<string> | undefined {
  const help = repo.read("tooling/repo-checks/src/__pins__/cli-help.txt");
  if (help === undefined) return undefined;
  return new Set([...help.matchAll(/^\s+(?:aiw )?(?<name>[a-z]+)\b/gmu)].map(([, name = ""]) => name));
}

function missing(file: string, command: string, reason: string): Finding {
  return { file, rule: "every command in it exists", repair: `Correct or remove \`${command}\`: ${reason}.` };
}
