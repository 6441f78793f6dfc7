import { parse, type Command, type Statement } from "unbash";

/** Programs whose exit code 1 is an answer, not a failure. */
const ANSWERS: ReadonlyMap<string, string> = new Map([
  ...["grep", "egrep", "fgrep", "rg", "zgrep"].map((name) => [name, "no line matched"] as const),
  ...["diff", "cmp"].map((name) => [name, "the inputs differ"] as const),
  ...["test", "["].map((name) => [name, "the condition is false"] as const),
]);
/** Commands before the last one that do not fail with 1 in ordinary use, or say so on stderr. */
const QUIET = new Set(["cd", "echo", "printf", "true", ":", "export"]);
/** Text with one of these may give 1 for other reasons. */
const CHANGES_EXIT = /\b(set|trap|pipefail|exit|return|function)\b|\(\s*\)/;

/** What exit code 1 of a command means, when its last simple command gave it as an answer; undefined for failures. */
export function explainExit(command: string): string | undefined {
  if (CHANGES_EXIT.test(command)) return undefined;
  try {
    const script = parse(command);
    const last = script.commands.at(-1);
    const program = last === undefined ? undefined : findLast(last);
    return program === undefined ? undefined : explain(program);
  } catch {
    return undefined;
  }
}

function explain(command: Command): string | undefined {
  const name = command.name?.value ?? "";
  const program = name.slice(name.lastIndexOf("/") + 1);
  const isGitDiff = program === "git" && command.args[0]?.text === "diff";
  const meaning = isGitDiff ? "the inputs differ" : ANSWERS.get(program);
  return meaning === undefined ? undefined : `exit code 1 of ${isGitDiff ? "git diff" : program}: ${meaning}`;
}

/** The command whose exit code is the script's; undefined when another may have given it. */
function findLast(statement: Statement): Command | undefined {
  if (statement.background === true) return undefined;
  const { command } = statement;
  if (command.type === "AndOr") {
    const before = command.commands.slice(0, -1);
    const isPlain = command.operators.every((operator) => operator === "&&") && before.every(isQuiet);
    return isPlain ? toLast(command.commands.at(-1)) : undefined;
  }
  return toLast(command);
}

function toLast(node: Statement["command"] | undefined): Command | undefined {
  if (node?.type === "Pipeline")
    return node.prefixes.some((prefix) => prefix.type === "Negation") ? undefined : toLast(node.commands.at(-1));
  return node?.type === "Command" ? node : undefined;
}

function isQuiet(node: Statement["command"]): boolean {
  return node.type === "Command" && QUIET.has(node.name?.value ?? "");
}
