import { SUBSTITUTED } from "./read-word.ts";
import { getArguments, type SimpleCommand } from "./simple-command.ts";
import { isPowerfulVariable } from "@aiw/core/node";
import { isDownloadPipe } from "./unwrap-shell.ts";
import { ask, type Finding } from "./verdict.ts";

/** Programs that run other commands in ways not followed here. */
const UNKNOWN_WRAPPERS = new Set([
  ...[
    "chroot",
    "unshare",
    "nsenter",
    "doas",
    "runuser",
    "script",
    "strace",
    "ltrace",
    "gdb",
    "flock",
    "parallel",
    "busybox",
    "toybox",
  ],
  ...[
    "chrt",
    "taskset",
    "numactl",
    "prlimit",
    "setarch",
    "linux32",
    "linux64",
    "fakeroot",
    "proot",
    "systemd-run",
    "at",
    "batch",
  ],
  ...[
    "expect",
    "dbus-run-session",
    "unbuffer",
    "rlwrap",
    "daemonize",
    "start-stop-daemon",
    "pkexec",
    "setpriv",
    "capsh",
    "coproc",
  ],
  ...[
    "bwrap",
    "firejail",
    "entr",
    "run-parts",
    "ssh-agent",
    "xvfb-run",
    "catchsegv",
    "valgrind",
    "perf",
    "eatmydata",
    "faketime",
  ],
]);
/** Builtins that change how later commands are read. */
const SHELL_STATE = new Set([
  ...[
    "alias",
    "unalias",
    "enable",
    "hash",
    "trap",
    "complete",
    "compopt",
    "bind",
    "shopt",
    "let",
    "declare",
    "typeset",
    "local",
  ],
  ...["mapfile", "readarray", "fc", "history", "caller", "unset"],
]);
/** Languages that run a program given on standard input. */
const INTERPRETERS = /^(python[\d.]*|perl|ruby|node|php|lua|deno|bun|tclsh|osascript|pwsh|Rscript)$/;
/** What nobody passes to an unknown program unless it is to be run. */
const RUNNABLE =
  /^(sudo|su|sh|bash|dash|zsh|ksh|eval|rm|dd|mkfs(\..*)?|shutdown|reboot|poweroff|halt|chmod|chown|pkill|killall)$/;
/** Programs with words of their own that look like commands. */
const KNOWN =
  /^(git|gh|npm|pnpm|yarn|npx|docker|podman|kubectl|cargo|go|make|man|which|type|whereis|apt|apt-get|brew|echo|printf|grep|egrep|fgrep|rg|command|kill|ls|cat|test|\[|cd|mkdir|touch|cp|mv|rm|chmod|chown|sed|awk|sort|uniq|head|tail|wc|find|read|export|set|ssh|rsync|tar|basename|dirname)$/;

/** Finds what we cannot see through: unknown wrappers, changes to the shell itself, programs taken from the network. */
export function findOpaque(program: string, command: SimpleCommand): Finding | undefined {
  const args = getArguments(command);
  if (UNKNOWN_WRAPPERS.has(program))
    return ask("unknown_wrapper", `${program} runs other commands and is not followed`);
  if (SHELL_STATE.has(program)) return ask("shell_state", `${program} changes how later commands are read`);
  const isFed = isDownloadPipe(command) || args.some((arg) => arg.value === SUBSTITUTED);
  if (INTERPRETERS.test(program) && isFed) return ask("piped_to_shell", `${program} runs what other commands give it`);
  const assigned = args
    .map((arg) => /^([A-Za-z_]\w*)\+?=(.*)$/s.exec(arg.value ?? "")?.slice(1) ?? [])
    .find(([name, value]) => name !== undefined && isPowerfulVariable(name, value))?.[0];
  if (/^(export|readonly)$/.test(program) && assigned !== undefined)
    return ask("environment", `${assigned} decides what later commands run`);
  if (program === "printf" && args.some((arg) => arg.value?.startsWith("-v") === true))
    return ask("shell_state", "printf -v sets a variable");
  if (KNOWN.test(program)) return undefined;
  const runnable = args.find(
    (arg) => arg.value !== undefined && RUNNABLE.test(arg.value.slice(arg.value.lastIndexOf("/") + 1)),
  );
  return runnable === undefined ? undefined : ask("unknown_wrapper", `${program} may run ${runnable.text}`);
}
