import type { Reading } from "./read-word.ts";
import { getArguments, type SimpleCommand } from "./simple-command.ts";
import type { Unwrapped } from "./unwrapped.ts";
import { ask, unsafe } from "./verdict.ts";

const RUNS = /^-(exec|execdir|ok|okdir)$/;
/** Tests that pick some files; without one an action meets the starting points themselves. */
const PICKS =
  /^-(i?name|i?path|i?wholename|i?regex|i?lname|size|[acm]time|[acm]min|newer.*|empty|perm|user|group|uid|gid|nouser|nogroup|inum|links|samefile)$/;

/** Where `find` starts, and whether it picks among what it meets. */
export interface FindScope {
  readonly starts: readonly Reading[];
  readonly picks: boolean;
}

/** Reads the starting points of a `find`; the current directory when none is named. */
export function readFindScope(command: SimpleCommand): FindScope {
  const args = getArguments(command);
  const first = args.findIndex((arg) => /^(?:-(?![HLPDO])|[!(])/.test(arg.value ?? ""));
  const before = first === -1 ? args : args.slice(0, first);
  const starts = before.filter((arg) => arg.value === undefined || !/^-[HLPDO]/.test(arg.value));
  const here: Reading = { text: ".", value: ".", glob: false, harmless: true, splits: false };
  const picks = args.some((arg) => arg.value !== undefined && PICKS.test(arg.value));
  return { starts: starts.length === 0 ? [here] : starts, picks };
}

/** Finds what `-exec` and its like run, with the starting points in place of `{}`; undefined without one. */
export function unwrapFind(command: SimpleCommand): Unwrapped | undefined {
  const args = getArguments(command);
  const commands: SimpleCommand[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const action = args[at]?.value ?? "";
    if (!RUNS.test(action)) continue;
    const end = args.findIndex((arg, index) => index > at && (arg.value === ";" || arg.value === "+"));
    if (end === -1) return { commands, scripts: [], findings: [ask("unparsed", `find ${action} has no end`)] };
    const inside = action.endsWith("dir") ? { ...command, directories: undefined } : command;
    commands.push(...substitute(inside, args.slice(at + 1, end)));
    at = end;
  }
  if (commands.length === 0) return undefined;
  return { commands, scripts: [], findings: [unsafe("find_exec", "find runs a command on what it meets")] };
}

function substitute(command: SimpleCommand, words: readonly Reading[]): SimpleCommand[] {
  const { starts, picks } = readFindScope(command);
  return starts.map((start) => ({
    ...command,
    redirections: [],
    assignments: [],
    depth: command.depth + 1,
    words: words.map((word) => (word.value?.includes("{}") === true ? fill(word, start, picks) : word)),
  }));
}

function fill(word: Reading, start: Reading, picks: boolean): Reading {
  if (start.value === undefined || word.value === undefined)
    return { ...word, glob: false, harmless: true, splits: false, text: "{}" };
  const met = picks ? `${start.value}/{}` : start.value;
  return { ...word, value: word.value.replaceAll("{}", met), glob: start.glob };
}
