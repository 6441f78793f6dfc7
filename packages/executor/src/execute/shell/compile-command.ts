import type { ToolSpec } from "@aiw/core";
import { isPowerfulVariable } from "@aiw/core/node";
import { invalidImplementation } from "../data/invalid-implementation.ts";
import { readImplementation, readMembers, readText, readWord, type Members } from "../data/read-implementation.ts";
import { parametersOf, placesOf, readTemplate, type TextTemplate } from "../data/text-template.ts";
import { placesOfValue, readValueTemplate, type ValueTemplate } from "../data/value-template.ts";
import { splitWords } from "./split-words.ts";

/** Words that stand or fall together: all are left out when an argument in one of them was not given. */
export type WordGroup = readonly TextTemplate[];

/** What a spec of type `shell` says, read once. */
export interface CommandTemplate {
  readonly program: string;
  readonly groups: readonly WordGroup[];
  readonly environment: readonly (readonly [name: string, value: ValueTemplate])[];
  readonly stdin: TextTemplate | undefined;
  /** Below the workspace; the workspace's own folder unless named. */
  readonly cwd: string | undefined;
  /** `text` gives the streams and the code, `json` what standard output says. */
  readonly output: "text" | "json";
}

const MEMBERS = ["command", "args", "cwd", "env", "stdin", "output"];
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Reads the implementation of a spec.
 * @throws ToolError `implementation_invalid`
 */
export function compileCommand(spec: ToolSpec): CommandTemplate {
  const members = readImplementation(spec, MEMBERS);
  const [program, ...words] = readWords(members);
  if (typeof program !== "string" || program === "")
    throw invalidImplementation("command", "must begin with a program");
  if (placesOf(readTemplate(program, spec, "command")).length > 0) {
    throw invalidImplementation("command", "must name its program itself: arguments do not choose what runs");
  }
  const stdin = readText(members, "stdin");
  const command: CommandTemplate = {
    program,
    groups: words.map((word) => readGroup(word, spec)),
    environment: readEnvironment(members, spec),
    stdin: stdin === undefined ? undefined : readTemplate(stdin, spec, "stdin"),
    cwd: readText(members, "cwd"),
    output: readWord(members, "output", ["text", "json"]),
  };
  assertAllPlaced(command, spec);
  return command;
}

function readWords({ command, args = [] }: Members): readonly unknown[] {
  const words = typeof command === "string" ? splitWords(command) : command;
  if (!Array.isArray(words)) throw invalidImplementation("command", "must be a text or a list of words");
  if (!Array.isArray(args)) throw invalidImplementation("args", "must be a list of words");
  return [...(words as unknown[]), ...(args as unknown[])];
}

function readGroup(words: unknown, spec: ToolSpec): WordGroup {
  const group: readonly unknown[] = Array.isArray(words) ? words : [words];
  return group.map((word) => {
    if (typeof word !== "string")
      throw invalidImplementation("command", "must be of texts, and lists of texts that belong together");
    const template = readTemplate(word, spec, "command");
    assertWord(template, word);
    return template;
  });
}

/** An argument may be the value of an option, never a part of its name. */
function assertWord(template: TextTemplate, word: string): void {
  const [first] = template;
  const isSpread = template.some((part) => "spread" in part && part.spread);
  if (isSpread && template.length > 1)
    throw invalidImplementation(
      "command",
      `has {...name} inside of the word ${JSON.stringify(word)}; it is a word of its own`,
    );
  if (template.length < 2 || first === undefined || !("literal" in first)) return;
  if (first.literal.startsWith("-") && !first.literal.includes("=")) {
    throw invalidImplementation(
      "command",
      `lets an argument name an option in ${JSON.stringify(word)}; write "--name={value}", or two words`,
    );
  }
}

function readEnvironment(members: Members, spec: ToolSpec): CommandTemplate["environment"] {
  return Object.entries(readMembers(members, "env")).map(([name, value]) => {
    const template = readValueTemplate(value, spec, `env.${name}`);
    if (!VARIABLE.test(name))
      throw invalidImplementation("env", `has ${JSON.stringify(name.slice(0, 60))}, which is no name of a variable`);
    if (isPowerfulVariable(name, toLiteral(template)))
      throw invalidImplementation(`env.${name}`, "would choose what runs, or how (SEC-SH-6)");
    return [name, template] as const;
  });
}

/** The text of a template without places. */
function toLiteral(template: ValueTemplate): string | undefined {
  const texts = template.map((part) => ("literal" in part ? part.literal : undefined));
  return texts.includes(undefined) ? undefined : texts.join("");
}

/** What the model may say must go somewhere. */
function assertAllPlaced({ groups, environment, stdin }: CommandTemplate, spec: ToolSpec): void {
  const placed = new Set([
    ...placesOf(groups.flat(2)),
    ...environment.flatMap(([, value]) => placesOfValue(value)),
    ...placesOf(stdin ?? []),
  ]);
  const rest = [...parametersOf(spec)].filter((name) => !placed.has(name));
  if (rest.length > 0) throw invalidImplementation("", `has no place for ${rest.slice(0, 5).join(", ")}`);
}
