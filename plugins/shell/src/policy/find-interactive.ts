import { getArguments, type SimpleCommand } from "./simple-command.ts";
import { interactive, type Finding } from "./verdict.ts";

const EDITORS = new Set([
  "vi",
  "vim",
  "nvim",
  "view",
  "nano",
  "pico",
  "emacs",
  "micro",
  "helix",
  "hx",
  "joe",
  "mcedit",
  "ne",
  "kak",
]);
const PAGERS = new Set(["less", "more", "most"]);
const REPLS: ReadonlyMap<string, string> = new Map([
  ["python", "python -c 'CODE'"],
  ["python3", "python3 -c 'CODE'"],
  ["node", "node -e 'CODE'"],
  ["bun", "bun run FILE"],
  ["deno", "deno eval 'CODE'"],
  ["irb", "ruby -e 'CODE'"],
  ["ipython", "python -c 'CODE'"],
  ["php", "php -r 'CODE'"],
  ["lua", "lua -e 'CODE'"],
  ["psql", "psql -c 'SQL'"],
  ["mysql", "mysql -e 'SQL'"],
  ["sqlite3", "sqlite3 FILE 'SQL'"],
  ["redis-cli", "redis-cli COMMAND"],
  ["ghci", "ghc -e 'CODE'"],
]);
const ALWAYS: ReadonlyMap<string, string> = new Map([
  ["passwd", "chpasswd"],
  ["visudo", "visudo -c"],
  ["vipw", "usermod"],
  ["tmux", "the command itself"],
  ["screen", "the command itself"],
  ["htop", "ps aux"],
  ["su", "sudo -n -u USER COMMAND"],
]);
const COMMIT_MESSAGE =
  /^(-[a-zA-Z]*[mFCc]|-[a-zA-Z]*m.+|--message(=.*)?|--file(=.*)?|--reuse-message.*|--no-edit|--fixup.*|--squash.*|--dry-run|-h|--help)$/s;

/** Finds what would wait for a person at a keyboard, and says what to write instead. */
export function findInteractive(program: string, command: SimpleCommand): Finding | undefined {
  const words = getArguments(command).map((arg) => arg.value ?? "");
  if (words.includes("--version") || words.includes("--help")) return undefined;
  return findProgram(program, words, command) ?? findSubcommand(program, words);
}

function findProgram(program: string, words: readonly string[], command: SimpleCommand): Finding | undefined {
  if (EDITORS.has(program) && !words.some((word) => /^(-es|-Es|--batch|--headless|-batch)$/.test(word))) {
    return interactive(`${program} waits for keys`, "a tool or command that edits files directly");
  }
  if (PAGERS.has(program)) return interactive(`${program} waits for keys`, "cat");
  if (program === "top" && !words.some((word) => /^-\w*b/.test(word)))
    return interactive("top waits for keys", "top -b -n 1");
  const instead = ALWAYS.get(program);
  if (instead !== undefined) return interactive(`${program} waits for a person`, instead);
  const repl = REPLS.get(program);
  if (repl !== undefined && words.length === 0 && !command.hasInput)
    return interactive(`${program} alone waits for input`, repl);
  if (program === "crontab" && words.includes("-e")) return interactive("crontab -e opens an editor", "crontab FILE");
  return undefined;
}

function findSubcommand(program: string, words: readonly string[]): Finding | undefined {
  if (program === "ssh" || program === "scp" || program === "sftp") return findRemote(program, words);
  if (program === "git") return findGit(words);
  if (/^(npm|pnpm|yarn)$/.test(program) && words[0] === "init" && words.length === 1) {
    return program === "pnpm" ? undefined : interactive(`${program} init asks questions`, `${program} init -y`);
  }
  if (
    /^(docker|podman)$/.test(program) &&
    /^(run|exec)$/.test(words[0] ?? "") &&
    words.some((word) => /^-(it|ti|t)$|^--tty$/.test(word))
  ) {
    return interactive(
      `${program} ${words[0] ?? ""} with a terminal waits for a person`,
      `${program} ${words[0] ?? ""} without -it`,
    );
  }
  return undefined;
}

function findRemote(program: string, words: readonly string[]): Finding | undefined {
  if (words.includes("-V") || words.some((word) => /^(-o)?\s*BatchMode[= ]yes$/i.test(word))) return undefined;
  return interactive(`${program} may ask for a password or about a host key`, `${program} -o BatchMode=yes`);
}

function findGit(words: readonly string[]): Finding | undefined {
  const at = words.findIndex((word, index) => !word.startsWith("-") && !/^-[Cc]$/.test(words[index - 1] ?? ""));
  const verb = words[at];
  const rest = words.slice(at + 1);
  if (verb === "commit" && !rest.some((word) => COMMIT_MESSAGE.test(word))) {
    return interactive("git commit without a message opens an editor", 'git commit -m "MESSAGE"');
  }
  if (verb === "rebase" && rest.some((word) => word === "-i" || word === "--interactive")) {
    return interactive("git rebase -i opens an editor", "git rebase without -i");
  }
  const picks = rest.some((word) => /^(-p|--patch|-i|--interactive)$/.test(word));
  if (picks && /^(add|checkout|reset|restore|stash|clean)$/.test(verb ?? "")) {
    return interactive(`git ${verb} asks about each change`, `git ${verb} PATH`);
  }
  return undefined;
}
