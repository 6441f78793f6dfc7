import { SUBSTITUTED, type Reading } from "./read-word.ts";
import { getArguments, type SimpleCommand } from "./simple-command.ts";
import { onlyFinding, type Unwrapped } from "./unwrapped.ts";
import { ask, interactive, unsafe, type Finding } from "./verdict.ts";

const SHELLS = new Set(["bash", "sh", "dash", "zsh", "ksh", "ash", "rbash"]);
const DOWNLOADERS = new Set([
  "curl",
  "wget",
  "fetch",
  "aria2c",
  "http",
  "https",
  "xh",
  "nc",
  "ncat",
  "netcat",
  "socat",
  "ftp",
]);
/** Options that change how a text runs, but not which text. */
const HARMLESS = /^(-[euxfnv]+|--noprofile|--norc|--posix)$/;
/** Text that means the same in every shell. */
const COMMON = /^[\w\s./,:@%+'"|;-]*$/;
const WITH_TEXT = /^-[euxfnv]*c$/;

/** Finds the text that a shell, `eval` or `source` runs; undefined for other programs. */
export function unwrapShell(program: string, command: SimpleCommand): Unwrapped | undefined {
  if (program === "eval") return unwrapEval(command);
  if (program === "source" || program === ".")
    return onlyFinding(ask("source", `${program} runs a file in this shell`));
  if (!SHELLS.has(program)) return undefined;
  const args = getArguments(command);
  const at = skipHarmless(args);
  const arg = args[at];
  if (arg === undefined) return onlyFinding(judgeInput(program, command));
  if (WITH_TEXT.test(arg.value ?? "")) return unwrapText(program, command, at + 1);
  const finding = judgeFile(program, arg, command);
  return finding === undefined ? undefined : onlyFinding(finding);
}

function skipHarmless(args: readonly Reading[]): number {
  const first = args.findIndex(({ value }) => !HARMLESS.test(value ?? ""));
  const at = first === -1 ? args.length : first;
  return args[at]?.value === "-o" && args[at + 1]?.value === "pipefail" ? at + 2 : at;
}

/** What a shell is given to run, other than a text. */
function judgeFile(program: string, { value, text, glob }: Reading, command: SimpleCommand): Finding | undefined {
  if (value === undefined || glob) return ask("dynamic_script", `${program} runs ${text}, known only at run time`);
  if (value === "--version" || value === "--help") return undefined;
  if (value === SUBSTITUTED) return ask("piped_to_shell", `${program} runs whatever ${text} gives`);
  if (/^(-|-s|\/dev\/stdin)$/.test(value)) return judgeInput(program, command);
  if (/^[-+]/.test(value)) return ask("wrapper_option", `${program} ${value} is not followed`);
  return unsafe("script_file", `${program} runs the script ${value}`);
}

function unwrapEval(command: SimpleCommand): Unwrapped {
  const args = getArguments(command);
  if (args.some((arg) => arg.value === undefined || arg.glob)) {
    return onlyFinding(ask("dynamic_script", "eval runs text that is only known at run time"));
  }
  return { commands: [], scripts: [{ text: args.map((arg) => arg.value).join(" "), from: command }], findings: [] };
}

function unwrapText(program: string, command: SimpleCommand, at: number): Unwrapped {
  const text = getArguments(command)[at];
  if (text?.value === undefined || text.glob) {
    return onlyFinding(ask("dynamic_script", `${program} -c runs text that is only known at run time`));
  }
  return { commands: [], scripts: [{ text: text.value, from: command }], findings: judgeGrammar(program, text.value) };
}

/** Only bash reads every text as it is read here: elsewhere `$'\''` ends in another place, and `&>` is two operators. */
export function judgeGrammar(shell: string, text: string): Finding[] {
  const isCommon = shell === "bash" || shell === "rbash" || COMMON.test(text);
  return isCommon ? [] : [ask("other_shell", `${shell} may read this text otherwise than bash`)];
}

function judgeInput(program: string, command: SimpleCommand): Finding {
  if (command.upstream.some((name) => DOWNLOADERS.has(name)))
    return ask("piped_to_shell", `a download is piped to ${program}`);
  if (command.hasInput) return ask("piped_to_shell", `${program} runs whatever it reads`);
  return interactive(`${program} alone waits for commands`, `${program} -c 'COMMAND'`);
}

/** Languages that run what a pipe from the network gives them. */
export function isDownloadPipe(command: SimpleCommand): boolean {
  return command.upstream.some((name) => DOWNLOADERS.has(name));
}
