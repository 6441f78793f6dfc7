import type { Reading } from "./read-word.ts";
import { scanOptions, type OptionGrammar } from "./scan-options.ts";
import { getArguments, getProgram, type SimpleCommand } from "./simple-command.ts";
import { unwrapFind } from "./unwrap-find.ts";
import { judgeGrammar, unwrapShell } from "./unwrap-shell.ts";
import { onlyFinding, type Unwrapped } from "./unwrapped.ts";
import { ask, interactive, unsafe, type Finding } from "./verdict.ts";

interface Wrapper extends OptionGrammar {
  /** Operands before the command, like the duration of `timeout`. */
  readonly skip?: number;
  /** Appends arguments nobody knows beforehand. */
  readonly appends?: boolean;
  /** What it is without a command. */
  readonly alone?: "judged" | "unsafe";
}

const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  ["sudo", { flags: "nEH", values: "ug", long: "non-interactive preserve-env set-home user= group=" }],
  ["env", { flags: "i0", values: "u", long: "ignore-environment null unset=", alone: "judged" }],
  ["nohup", {}],
  ["nice", { values: "n", long: "adjustment=", words: /^-\d+$/, alone: "judged" }],
  ["time", { flags: "pv", long: "portability verbose" }],
  ["timeout", { flags: "v", values: "ks", long: "preserve-status foreground verbose kill-after= signal=", skip: 1 }],
  [
    "xargs",
    {
      flags: "0rtx",
      values: "nLPIdsE",
      long: "null no-run-if-empty verbose exit max-args= max-procs= max-lines? delimiter= replace?",
      appends: true,
    },
  ],
  ["stdbuf", { values: "ioe", long: "input= output= error=" }],
  ["setsid", { flags: "wfc", long: "wait fork ctty" }],
  ["ionice", { flags: "t", values: "cn", long: "class= classdata= ignore" }],
  ["command", {}],
  ["builtin", {}],
  // Not with a name of its own (`-a`, `-l`): some systems have one program that is all of them, by the name it is given.
  ["exec", { alone: "judged" }],
]);

/** Wrappers whose command still sees the shell's builtins. */
const IN_SHELL = new Set(["command", "builtin"]);
/** Options of `env` that take away how leftovers are recognised. */
const FORGETS = ["-i", "-u", "--ignore-environment", "--unset"];

/** Takes a command out of what merely runs it (SEC-SH-7); undefined when it is no wrapper. */
export function unwrapCommand(command: SimpleCommand): Unwrapped | undefined {
  const program = getProgram(command);
  if (program === undefined) return undefined;
  if (program === "find") return unwrapFind(command);
  if (program === "watch") return unwrapWatch(command);
  if (program === "command" && /^-[vV]$/.test(command.words[1]?.value ?? "")) return undefined;
  const wrapper = WRAPPERS.get(program);
  return wrapper === undefined ? unwrapShell(program, command) : unwrapBy(wrapper, program, command);
}

function unwrapBy(wrapper: Wrapper, program: string, command: SimpleCommand): Unwrapped | undefined {
  const scanned = scanOptions(getArguments(command), { ...wrapper, stopsAtOperand: true });
  const odd = scanned.unknown ?? scanned.dynamic;
  if (odd !== undefined) return onlyFinding(ask("wrapper_option", `${program} ${odd} is not followed`));
  if (program === "sudo" && !scanned.options.has("-n") && !scanned.options.has("--non-interactive")) {
    return onlyFinding(interactive("sudo may ask for a password", "sudo -n"));
  }
  const rest = scanned.operands.slice(wrapper.skip ?? 0);
  const { assignments, words } = program === "env" ? splitAssignments(rest) : { assignments: [], words: rest };
  const variables = [...command.assignments, ...assignments];
  if (words.length === 0) {
    if (wrapper.alone === "judged")
      return variables.length > 0 ? onlyFinding(unsafe("environment", `${program} sets variables`)) : undefined;
    return onlyFinding(unsafe("wrapper", `${program} without a command`));
  }
  const inner: SimpleCommand = {
    ...command,
    words: wrapper.appends === true ? appendUnknown(words, scanned.options) : words,
    assignments: variables,
    depth: command.depth + 1,
    elevated: command.elevated || program === "sudo",
    external: command.external || !IN_SHELL.has(program),
  };
  return {
    commands: [inner],
    scripts: [],
    findings: judgeWrapper(program, scanned.options),
  };
}

function judgeWrapper(program: string, options: ReadonlySet<string>): Finding[] {
  if (program === "sudo") return [unsafe("elevated", "it runs with another user's rights")];
  const forgets = program === "env" && FORGETS.some((option) => options.has(option));
  return forgets ? [unsafe("environment", "env takes variables away")] : [];
}

function splitAssignments(words: readonly Reading[]) {
  const first = words.findIndex((word) => word.value === undefined || !/^[A-Za-z_]\w*=/.test(word.value));
  const end = first === -1 ? words.length : first;
  const assignments = words.slice(0, end).map((word) => {
    const value = word.value ?? "";
    const at = value.indexOf("=");
    return { name: value.slice(0, at), reading: { ...word, value: value.slice(at + 1) } };
  });
  return { assignments, words: words.slice(end) };
}

/** With a replacement string any word may change; otherwise arguments are added at the end. */
function appendUnknown(words: readonly Reading[], options: ReadonlySet<string>): Reading[] {
  const unknown: Reading = { text: "what xargs reads", glob: false, harmless: true, splits: true };
  const replaces = options.has("-I") || options.has("--replace");
  if (!replaces) return [...words, unknown];
  return words.map((word, index) =>
    index === 0 && word.value?.includes("{") === false ? word : { ...unknown, text: word.text },
  );
}

/** `watch` hands its words to a shell as one text. */
function unwrapWatch(command: SimpleCommand): Unwrapped {
  const scanned = scanOptions(getArguments(command), {
    flags: "dtegbc",
    values: "n",
    long: "differences? no-title errexit chgexit beep color interval=",
    stopsAtOperand: true,
  });
  const odd = scanned.unknown ?? scanned.dynamic;
  if (odd !== undefined) return onlyFinding(ask("wrapper_option", `watch ${odd} is not followed`));
  if (scanned.operands.some((word) => word.value === undefined || word.glob)) {
    return onlyFinding(ask("dynamic_script", "watch runs text that is only known at run time"));
  }
  const text = scanned.operands.map((word) => word.value).join(" ");
  return { commands: [], scripts: [{ text, from: command }], findings: judgeGrammar("sh", text) };
}
