import { RE2JS } from "re2js";
import type { HostProcesses, PolicyContext } from "./policy-context.ts";
import type { Reading } from "./read-word.ts";
import { scanOptions } from "./scan-options.ts";
import { getArguments, type SimpleCommand } from "./simple-command.ts";
import { ask, deny, type Finding } from "./verdict.ts";

const SIGNAL_WORD = /^-(\d+|(SIG)?[A-Z][A-Z0-9+-]+)$/;

/** Refuses to kill everything, or the processes that run us, by number, name or pattern. */
export function denyKill(program: string, command: SimpleCommand, context: PolicyContext): Finding | undefined {
  const args = getArguments(command);
  if (program === "killall5") return deny("kill_everything", "killall5 ends every process");
  if (program === "kill") return denyNumbers(args, context.host);
  if (program === "pkill" || program === "killall") return denyPatterns(program, args, context.host);
  return undefined;
}

function denyNumbers(args: readonly Reading[], host: HostProcesses): Finding | undefined {
  const words = args.map((arg) => arg.value ?? "");
  // Signal 0 only asks whether there is such a process.
  if (words[0] === "-0" || (words[0] === "-s" && words[1] === "0")) return undefined;
  const targets = words.slice(skipSignal(words)).filter((word) => word !== "--");
  if (targets.includes("-1") || (targets.length === 0 && words[0] === "-1")) {
    return deny("kill_everything", "kill -1 ends every process it may");
  }
  const own = targets.find((word) => host.pids.includes(Math.abs(Number(word))) || word === "1");
  return own === undefined ? undefined : deny("kill_host", `process ${own} runs this tool`);
}

/** How many words name the signal: `-9`, `-s KILL`, `-KILL`; the first `-1` before others is a signal too. */
function skipSignal(words: readonly string[]): number {
  const [first = ""] = words;
  if (/^(-s|-n|--signal)$/.test(first)) return 2;
  return first !== "--" && (SIGNAL_WORD.test(first) || first.startsWith("--signal=")) ? 1 : 0;
}

function denyPatterns(program: string, args: readonly Reading[], host: HostProcesses): Finding | undefined {
  const rest = args.filter((arg) => !SIGNAL_WORD.test(arg.value ?? "") || arg.value === "-1");
  const scanned = scanOptions(rest, {
    flags: "fxoneciqvwr",
    values: "sGgPtUu",
    long: "full exact oldest newest echo ignore-case count quiet verbose wait regexp signal= euid= uid= group= parent= terminal=",
  });
  const odd = scanned.unknown ?? scanned.dynamic;
  if (odd !== undefined) return ask("kill_option", `${program} ${odd} is not followed`);
  if (scanned.operands.length === 0) {
    return scanned.values.length === 0
      ? undefined
      : deny("kill_host", `${program} without a name may end what runs this tool`);
  }
  for (const { value, text, glob } of scanned.operands) {
    if (value === undefined || glob) return ask("dynamic_argument", `${program} ${text} is only known at run time`);
    const verdict = matchesHost(program, value, { host, options: scanned.options });
    if (verdict === "unknown") return ask("kill_pattern", `the pattern ${text} cannot be read`);
    if (verdict) return deny("kill_host", `${program} ${text} matches what runs this tool`);
  }
  return undefined;
}

function matchesHost(
  program: string,
  pattern: string,
  { host, options }: { host: HostProcesses; options: ReadonlySet<string> },
): boolean | "unknown" {
  const isRegex = program === "pkill" || options.has("-r") || options.has("--regexp");
  if (!isRegex) return host.names.includes(pattern) || host.names.includes(pattern.slice(0, 15));
  const whole = options.has("-x") || options.has("--exact");
  const subjects = options.has("-f") || options.has("--full") ? host.commandLines : host.names;
  try {
    // Linear time: the pattern is the caller's. Case is ignored, to be on the safe side.
    const compiled = RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE);
    return subjects.some((subject) => (whole ? compiled.matcher(subject).matches() : compiled.matcher(subject).find()));
  } catch {
    return "unknown";
  }
}
