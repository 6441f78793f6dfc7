import * as path from "node:path";
import { dataToolOrigin, ToolError, type JsonObject, type ToolContext, type ValidatedCall } from "@aiw/core";
import {
  buildEnvironment,
  createOutputCollector,
  createSecretMask,
  runProcess,
  type ProcessEnvironment,
} from "@aiw/core/node";
import { compileOnce } from "../data/compile-once.ts";
import type { SecretGrants } from "../data/environment-reference.ts";
import { expandTemplate, toText } from "../data/text-template.ts";
import { expandValue } from "../data/value-template.ts";
import type { Executor } from "../executor.ts";
import { buildArguments } from "./build-arguments.ts";
import { compileCommand, type CommandTemplate } from "./compile-command.ts";
import { resolveFolder } from "./resolve-folder.ts";
import { resolveProgram, toSearchPath } from "./resolve-program.ts";
import { toCommandResult } from "./to-command-result.ts";

/** What an operator grants to tools of type `shell`. */
export interface ShellGrants extends SecretGrants {
  /** Variables of the host that commands get beside the usual ones (`PATH`, `HOME`, `LANG` …). */
  readonly env?: readonly string[];
}

/** How tools of type `shell` are run. */
export interface ShellExecutorOptions {
  /** The grants as they are at each call. */
  readonly grants?: () => ShellGrants;
}

/** Raw bytes of both streams before a command is stopped, and characters of each that are kept. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const KEPT_CHARACTERS = 30_000;

/** Characters of standard output that are read as JSON. */
const JSON_CHARACTERS = 4 * 1024 * 1024;

/** A command, ready to be started. */
interface PreparedCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: ProcessEnvironment;
  readonly stdin?: string;
  readonly mask: (text: string) => string;
}

/**
 * Makes the executor of type `shell`, whose specs say `{ "command": "git log --max-count={count} -- {path}" }`: one program with
 * its arguments and no shell, in a process group of which nothing is left when the call ends.
 */
export function shellExecutor({ grants = () => ({}) }: ShellExecutorOptions = {}): Executor {
  const compile = compileOnce(({ spec }) => compileCommand(spec));
  return Object.freeze<Executor>({
    assertRunnable: ({ tool, arguments: input }) => void buildArguments(compile(tool).groups, input as JsonObject),
    execute: async (call, context) => {
      const template = compile(call.tool);
      return await runCommand(template, prepareCommand(template, { call, context, granted: grants() }), context);
    },
  });
}

function prepareCommand(
  template: CommandTemplate,
  {
    call,
    context,
    granted,
  }: { readonly call: ValidatedCall; readonly context: ToolContext; readonly granted: ShellGrants },
): PreparedCommand {
  const { tool } = call;
  const input = call.arguments as JsonObject;
  const added: Record<string, string> = {};
  const secrets = new Map<string, string>();
  for (const [name, value] of template.environment) {
    const text = expandValue(value, { input, tool, grants: granted, secrets });
    if (text?.includes("\0") === true)
      throw new ToolError("invalid_input", `The variable ${name} would have a NUL character.`);
    if (text !== undefined) added[name] = text;
  }
  const environment = buildEnvironment(granted.environment ?? process.env, { passed: granted.env ?? [], added });
  // What the command starts by name is looked for where it was looked for itself.
  const searchPath = toSearchPath(environment["PATH"] ?? "", context.workspace);
  // An empty one would mean the folder it runs in.
  if (searchPath.length > 0) environment["PATH"] = searchPath.join(path.delimiter);
  else delete environment["PATH"];
  const stdin = template.stdin && expandTemplate(template.stdin, (parameter) => toText(input, parameter));
  return {
    file: resolveProgram(template.program, {
      origin: dataToolOrigin(tool) ?? { readsEnvironment: false },
      workspace: context.workspace,
      searchPath,
    }),
    args: buildArguments(template.groups, input),
    cwd: resolveFolder(template.cwd, context.workspace),
    environment,
    mask: createSecretMask(environment, secrets),
    ...(stdin !== undefined && { stdin }),
  };
}

async function runCommand(template: CommandTemplate, command: PreparedCommand, context: ToolContext): Promise<unknown> {
  const limit = template.output === "json" ? JSON_CHARACTERS : KEPT_CHARACTERS;
  const collector = createOutputCollector({
    limit,
    mask: command.mask,
    emit: (channel, text) => context.emitOutput(text, { channel }),
  });
  const outcome = await runProcess({
    ...command,
    signal: context.signal,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    onOutput: collector.add,
  }).finally(collector.end);
  return toCommandResult(outcome, collector.end(), {
    program: template.program,
    output: template.output,
    signal: context.signal,
  });
}
