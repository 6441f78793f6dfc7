import { denyDevices, isRawDevice } from "./deny-devices.ts";
import { denyKill } from "./deny-kill.ts";
import { denyPower } from "./deny-power.ts";
import { denyRemoval } from "./deny-removal.ts";
import { isCosmeticVariable, isPowerfulVariable } from "@aiw/core/node";
import { findInteractive } from "./find-interactive.ts";
import { findOpaque } from "./find-opaque.ts";
import { flattenScript } from "./flatten-script.ts";
import { judgePaths } from "./judge-paths.ts";
import { isKnownProgram, judgeReadOnly } from "./judge-read-only.ts";
import { judgeVariable } from "./judge-variable.ts";
import type { PolicyContext } from "./policy-context.ts";
import type { KnownVariables } from "./read-word.ts";
import { getArguments, getProgram, type Directories, type Redirection, type SimpleCommand } from "./simple-command.ts";
import { unwrapCommand } from "./unwrap-command.ts";
import { ask, deny, unsafe, type Finding } from "./verdict.ts";

const MAX_COMMANDS = 50;
const MAX_DEPTH = 8;

/** Judges shell text: every simple command at every depth by itself (SEC-SH-3); no finding means read-only. */
export function judgeScript(text: string, context: PolicyContext): Finding[] {
  const first = flattenScript(text, {
    directories: [context.directory],
    variables: knowVariables([context.directory], context),
    depth: 0,
    elevated: false,
    hasInput: context.hasInput,
  });
  const findings: Finding[] = [...first.findings];
  const waiting: SimpleCommand[] = [...first.commands];
  for (let judged = 0; judged < waiting.length; judged += 1) {
    const command = waiting[judged];
    // Nothing is judged in part (SEC-SH-10).
    if (judged >= MAX_COMMANDS) findings.push(ask("too_many_commands", `it has more than ${MAX_COMMANDS} commands`));
    if (command === undefined || judged >= MAX_COMMANDS) break;
    if (command.depth > MAX_DEPTH) {
      findings.push(ask("too_deep", "its commands are nested too deeply"));
      continue;
    }
    const unwrapped = judgeCommand(command, context, findings);
    waiting.push(...(unwrapped?.commands ?? []));
    for (const script of unwrapped?.scripts ?? []) {
      const { directories, elevated, hasInput, depth } = script.from;
      // Variables set meanwhile are not followed into another shell.
      const variables = knowVariables(directories, context);
      const inner = flattenScript(script.text, { directories, elevated, hasInput, depth: depth + 1, variables });
      findings.push(...inner.findings);
      waiting.push(...inner.commands);
    }
  }
  return findings;
}

function knowVariables(directories: Directories, { home }: PolicyContext): KnownVariables {
  const [directory, ...others] = directories ?? [];
  const known = new Map<string, string>();
  if (home !== undefined) known.set("HOME", home);
  if (directory !== undefined && others.length === 0) known.set("PWD", directory);
  return known;
}

function judgeCommand(command: SimpleCommand, context: PolicyContext, findings: Finding[]) {
  findings.push(
    ...judgeAssignments(command),
    ...command.redirections.flatMap((each) => judgeRedirection(each, command, context)),
  );
  const name = command.words[0];
  if (name === undefined) return undefined;
  const program = getProgram(command);
  if (program === undefined || name.value === "") {
    findings.push(ask("dynamic_command", `the command ${name.text} is only known at run time`));
    return undefined;
  }
  const denied =
    denyRemoval(program, command, context) ??
    denyDevices(program, command, context) ??
    denyPower(program, command) ??
    denyKill(program, command, context);
  if (denied !== undefined) findings.push(denied);
  const unwrapped = unwrapCommand(command);
  findings.push(...(unwrapped?.findings ?? judgePlain(program, command, context)));
  // What a wrapper runs says nothing when the wrapper is not what its name says.
  if (unwrapped !== undefined && !isKnownProgram(command, context))
    findings.push(unsafe("not_read_only", `${name.text} is no program we know`));
  return unwrapped;
}

function judgePlain(program: string, command: SimpleCommand, context: PolicyContext): Finding[] {
  const waits = findInteractive(program, command);
  const opaque = findOpaque(program, command);
  const effect = judgeReadOnly(command, context);
  const lost = effect === undefined ? undefined : judgeLost(program, command);
  return [waits, opaque, effect, lost].filter((finding) => finding !== undefined);
}

/** Relative arguments of a command that starts nobody knows where (SEC-SH-9). */
function judgeLost(program: string, command: SimpleCommand): Finding | undefined {
  if (command.directories !== undefined) return undefined;
  const relative = getArguments(command).find(({ value }) => value !== undefined && !/^[-/+]/.test(value));
  return relative === undefined
    ? undefined
    : ask("unknown_directory", `${program} ${relative.text} runs in a directory that is not known`);
}

function judgeAssignments(command: SimpleCommand): Finding[] {
  return command.assignments.flatMap(({ name, reading }) => {
    if (isPowerfulVariable(name, reading.value)) return [ask("environment", `${name} decides what later commands run`)];
    if (command.words.length === 0) {
      return reading.harmless
        ? judgeVariable(name, reading.value)
        : [ask("expansion", `${reading.text} takes its meaning at run time`)];
    }
    return isCosmeticVariable(name) && reading.value !== undefined ? [] : [unsafe("environment", `it sets ${name}`)];
  });
}

function judgeRedirection(redirection: Redirection, command: SimpleCommand, context: PolicyContext): Finding[] {
  const { target, writes } = redirection;
  const { value, text } = target;
  if (value === undefined || target.glob)
    return [ask("dynamic_redirection", `the file ${text} is only known at run time`)];
  if (/^\/dev\/(null|stdout|stderr|stdin|fd\/\d+)$/.test(value)) return [];
  if (!writes) {
    const finding = judgePaths([target], command, context);
    return finding === undefined ? [] : [finding];
  }
  if (/^\/+proc\/+sysrq-trigger$/.test(value)) return [deny("power", "it would reach the kernel's emergency keys")];
  if (value.startsWith("/") && isRawDevice(value)) return [deny("raw_device", `it would write to the device ${value}`)];
  if (command.directories === undefined && !value.startsWith("/")) {
    return [ask("unknown_directory", `${text} would be written in a directory that is not known`)];
  }
  return [unsafe("writes_file", `it writes the file ${text}`)];
}
