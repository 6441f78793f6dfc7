import { parseArgs } from "node:util";
import type { Given } from "../answers/answers.ts";
import { SPELLINGS, type PackageManager } from "../answers/choices.ts";
import { usageError } from "../create-error.ts";
import { folderNameProblem } from "../names/folder-name.ts";
import { packageNameProblem } from "../names/package-name.ts";
import { descriptionProblem, oneLine } from "../names/plain-text.ts";
import { toRepository } from "../names/repository.ts";
import { toolNameProblem } from "../names/tool-name.ts";
import { CHOICES, FLAGS, type Choices } from "./flags.ts";
import { nearestWord } from "./nearest-word.ts";

/** What a command line asks for. */
export type Request =
  | { readonly wants: "help" }
  | { readonly wants: "version" }
  | { readonly wants: "package"; readonly given: Given };

/**
 * Reads a command line; each value in it is legal afterwards.
 * @throws CreateError with exit code 2
 */
export function readArguments(words: readonly string[], manager: PackageManager): Request {
  const { values, positionals } = parse(words);
  if (values.help === true) return { wants: "help" };
  if (values.version === true) return { wants: "version" };
  const directory = readDirectory(positionals, manager);
  const given: Given = {
    ...(directory !== undefined && { directory }),
    ...readChoices(values),
    ...readTexts(values),
    ...readSwitch("install", values.install, values["no-install"]),
    ...readSwitch("git", values.git, values["no-git"]),
    yes: values.yes === true,
    force: values.force === true,
  };
  return { wants: "package", given };
}

type Values = ReturnType<typeof parse>["values"];

function parse(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: FLAGS, allowPositionals: true, strict: true });
  } catch (error) {
    throw usageError(describeFlagError(error), "See what there is: --help");
  }
}

/** In our words where Node's own are about its programming interface. */
function describeFlagError(error: unknown): string {
  const said = oneLine(error instanceof Error ? error.message : String(error));
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const flag = /'(?:-\w, )?(-[^'\s=]*)/.exec(said)?.[1];
  if (flag === undefined) return said;
  if (code === "ERR_PARSE_ARGS_UNKNOWN_OPTION") {
    const nearest = nearestWord(flag.replace(/^-+/, ""), Object.keys(FLAGS));
    return `There is no flag ${flag}.${nearest === undefined ? "" : ` Did you mean --${nearest}?`}`;
  }
  return said.includes("does not take an argument") ? `${flag} takes no value.` : `${flag} needs a value: ${flag}=…`;
}

/** npm keeps flags without `--` before them for itself, and gives us their values as words. */
function readDirectory(positionals: readonly string[], manager: PackageManager): string | undefined {
  const [directory, ...others] = positionals;
  if (others.length > 0) {
    const hint =
      manager === "npm" ? " Under npm, flags come after --: npm create @aiw/tool DIR -- --template class" : "";
    throw usageError(`One folder is made, not ${positionals.length}.${hint}`);
  }
  const problem = directory === undefined ? undefined : folderNameProblem(directory);
  if (problem !== undefined) throw usageError(problem);
  return directory;
}

function readChoices(values: Values): Pick<Given, "template" | "language" | "license" | "test" | "packageManager"> {
  const template = choose("template", values.template);
  const language = choose("language", values.language);
  const license = choose("license", values.license);
  const test = choose("test", values.test);
  const packageManager = choose("package-manager", values["package-manager"]);
  return {
    ...(template !== undefined && { template }),
    ...(language !== undefined && { language }),
    ...(license !== undefined && { license }),
    ...(test !== undefined && { test }),
    ...(packageManager !== undefined && { packageManager }),
  };
}

function choose<Flag extends keyof Choices>(flag: Flag, written: string | undefined): Choices[Flag] | undefined {
  if (written === undefined) return undefined;
  const choices: readonly Choices[Flag][] = CHOICES[flag];
  const lower = written.toLowerCase();
  const meant = Object.hasOwn(SPELLINGS, lower) ? SPELLINGS[lower] : written;
  const chosen = choices.find((choice) => choice === meant);
  if (chosen !== undefined) return chosen;
  const nearest = nearestWord(written, choices);
  const hint = nearest === undefined ? "" : ` Did you mean ${nearest}?`;
  throw usageError(`--${flag} is ${choices.join(", ")}, not ${JSON.stringify(oneLine(written))}.${hint}`);
}

function readTexts(values: Values): Pick<Given, "name" | "tool" | "description" | "repository"> {
  const { name, tool, description } = values;
  const repository = values.repository === undefined ? undefined : toRepository(values.repository);
  if (name !== undefined) assertLegal("name", packageNameProblem(name));
  if (tool !== undefined) assertLegal("tool", toolNameProblem(tool));
  if (description !== undefined) assertLegal("description", descriptionProblem(description));
  if (values.repository !== undefined && repository === undefined)
    throw usageError("--repository: write OWNER/NAME, or the address of the repository on GitHub.");
  return {
    ...(name !== undefined && { name }),
    ...(tool !== undefined && { tool }),
    ...(description !== undefined && { description }),
    ...(repository !== undefined && { repository }),
  };
}

function assertLegal(flag: string, problem: string | undefined): void {
  if (problem !== undefined) throw usageError(`--${flag}: ${problem}`);
}

function readSwitch<Name extends "install" | "git">(
  name: Name,
  yes: boolean | undefined,
  no: boolean | undefined,
): { readonly [Key in Name]?: boolean } {
  if (yes === true && no === true) throw usageError(`Both --${name} and --no-${name} are given.`);
  if (yes === undefined && no === undefined) return {};
  return { [name]: yes === true } as { readonly [Key in Name]?: boolean };
}
