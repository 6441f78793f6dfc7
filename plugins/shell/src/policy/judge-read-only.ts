import { judgeFind } from "./judge-find.ts";
import { judgePaths } from "./judge-paths.ts";
import type { PolicyContext } from "./policy-context.ts";
import type { Reading } from "./read-word.ts";
import { READ_ONLY_PROGRAMS, VERSION_OPTIONS, type ReadOnlyProgram } from "./read-only-programs.ts";
import { mayBeDirectory, resolvePhysical } from "./resolve-path.ts";
import { isTrustedProgram } from "./resolve-program.ts";
import { scanOptions, type ScannedOptions } from "./scan-options.ts";
import { getArguments, getProgram, type SimpleCommand } from "./simple-command.ts";
import { ask, unsafe, type Finding } from "./verdict.ts";

/** Parts of the shell that run other commands. */
const RUNNING_BUILTINS = new Set(["builtin", "exec", "eval", "source", "."]);

/** Undefined when the command is known to be read-only inside the roots; otherwise why it is not. */
export function judgeReadOnly(command: SimpleCommand, context: PolicyContext): Finding | undefined {
  const program = getProgram(command) ?? "";
  const known = READ_ONLY_PROGRAMS.get(program);
  if (!isKnownProgram(command, context)) return judgeUnknown(command, `${program} is no program we know`);
  if (isVersionQuery(program, getArguments(command))) return undefined;
  if (program === "find") return judgeFind(command, context);
  if (known === undefined) return judgeUnknown(command, `${program} is not known to be read-only`);
  return judgeKnown(program, { known, command, context });
}

/** True when the first word is what its name says: part of the shell, or in a trusted directory (SEC-SH-8). */
export function isKnownProgram(command: SimpleCommand, context: PolicyContext): boolean {
  const name = command.words[0]?.value ?? "";
  const isBuiltin = READ_ONLY_PROGRAMS.get(name)?.builtin === true || RUNNING_BUILTINS.has(name);
  return (isBuiltin && !command.external) || isTrustedProgram(name, context);
}

function isVersionQuery(program: string, args: readonly Reading[]): boolean {
  return args.length === 1 && (VERSION_OPTIONS.get(program)?.includes(args[0]?.value ?? "") ?? false);
}

function judgeKnown(program: string, judging: Judging): Finding | undefined {
  const { known, command } = judging;
  const scanned = scanOptions(dropClosingBracket(program, getArguments(command)), known);
  if (scanned.unknown !== undefined)
    return unsafe("unknown_option", `${program} ${scanned.unknown} is not known to be read-only`);
  if (scanned.dynamic !== undefined && known.dynamic !== true) {
    return ask("dynamic_argument", `${scanned.dynamic} is only known at run time`);
  }
  return judgeOperands(program, scanned, judging);
}

/** Not read-only; and when an argument is only known at run time, no rule may allow it either. */
function judgeUnknown(command: SimpleCommand, reason: string): Finding {
  const dynamic = getArguments(command).find((arg) => arg.value === undefined);
  if (dynamic !== undefined) return ask("dynamic_argument", `${dynamic.text} is only known at run time`);
  return unsafe("not_read_only", reason);
}

function dropClosingBracket(program: string, args: readonly Reading[]): readonly Reading[] {
  return program === "[" && args.at(-1)?.value === "]" ? args.slice(0, -1) : args;
}

interface Judging {
  readonly known: ReadOnlyProgram;
  readonly command: SimpleCommand;
  readonly context: PolicyContext;
}

function judgeOperands(program: string, scanned: ScannedOptions, judging: Judging): Finding | undefined {
  const { known, command, context } = judging;
  const { operands } = scanned;
  if (known.operands === "none" && operands.length > 0)
    return unsafe("operand", `${program} with an argument is not known to be read-only`);
  if (operands.length > (known.maxOperands ?? Infinity))
    return unsafe("operand", `${program} with so many arguments is not known to be read-only`);
  const texts = known.operands === "text" ? operands : operands.slice(0, countTexts(scanned, known));
  const paths = operands.slice(texts.length);
  if (known.filesOnly === true && paths.some((path) => mayBeFolder(path, command)))
    return unsafe("operand", `${program} follows the links in a folder`);
  const finding = judgeTexts(program, texts, known);
  // What an unquoted pattern gives are names of files, wherever they are.
  const named = [...paths, ...texts.filter((text) => text.glob)];
  if (known.operands !== "paths" && named.length === 0) return finding;
  return finding ?? judgePaths(named, command, context);
}

function mayBeFolder({ value, glob }: Reading, { directories }: SimpleCommand): boolean {
  if (value === undefined || glob || directories === undefined) return true;
  return directories.some((directory) => mayBeDirectory(resolvePhysical(directory, value)));
}

function countTexts(scanned: ScannedOptions, known: ReadOnlyProgram): number {
  if (known.textFirst === undefined || known.textFirst.unless.some((option) => scanned.options.has(option))) return 0;
  return known.textFirst.count;
}

function judgeTexts(program: string, texts: readonly Reading[], known: ReadOnlyProgram): Finding | undefined {
  const checked = known.dynamicRest === true ? texts.slice(0, 1) : known.dynamic === true ? [] : texts;
  for (const { value, text, glob, splits } of checked) {
    // It may turn into options and paths.
    if (glob || splits || value === undefined) return ask("dynamic_argument", `${text} is only known at run time`);
    if (known.pattern?.test(value) === false)
      return unsafe("operand", `${program} ${text} is not known to be read-only`);
  }
  return undefined;
}
