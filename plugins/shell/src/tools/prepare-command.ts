import { accessSync, constants } from "node:fs";
import type { Assessment, ToolContext } from "@aiw/core";
import { buildEnvironment, type ProcessEnvironment } from "@aiw/core/node";
import { shellError } from "../errors.ts";
import type { ShellOptions } from "../options.ts";
import { judgeCall, toAssessment, type Verdict } from "../policy/assess-command.ts";
import type { PolicyContext } from "../policy/policy-context.ts";
import { readHost, readMounts } from "../policy/read-host.ts";
import { resolvePlace, type Place } from "./resolve-place.ts";

/** A command as either tool is given it. */
export interface CommandCall {
  readonly tool: CallingTool;
  readonly command: string;
  readonly directory?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

/** The tool a call came through, whose own names its suggestions use. */
export interface CallingTool {
  readonly name: string;
  /** Its parameter for the directory. */
  readonly directoryParameter: string;
}

/** A command that has been looked at and may be started. */
export interface PreparedCommand {
  readonly place: Place;
  readonly environment: ProcessEnvironment;
  readonly shell: string;
}

interface Judged {
  readonly place: Place;
  readonly environment: ProcessEnvironment;
  readonly policy: PolicyContext;
  readonly verdict: Verdict;
}

const SHELLS = [
  "/bin/bash",
  "/usr/bin/bash",
  "/usr/local/bin/bash",
  "/opt/homebrew/bin/bash",
  "/run/current-system/sw/bin/bash",
];

/**
 * Gives the verdict on a call, as the tools' `assess`; nobody need be asked about a call that cannot run.
 * @throws ToolError `command_denied`, `interactive_command`, `invalid_input` and those of the directory
 */
export function assessCall(call: CommandCall, context: ToolContext<ShellOptions>): Assessment {
  const { verdict, policy } = judge(call, context);
  assertRunnable(verdict);
  return toAssessment(verdict, policy);
}

/**
 * Checks a call once more, whoever runs it, and gives what is needed to start it.
 * @throws ToolError those of `assessCall`, and `spawn_failed`
 */
export function prepareCommand(call: CommandCall, context: ToolContext<ShellOptions>): PreparedCommand {
  const { verdict, place, environment } = judge(call, context);
  assertRunnable(verdict);
  return { place, environment, shell: resolveShell(context.options.shell) };
}

function assertRunnable({ finding }: Verdict): void {
  if (finding?.level === "deny") {
    throw shellError("command_denied", `Refused by the built-in rule ${finding.rule}: ${finding.reason}.`, {
      details: { rule: finding.rule },
      suggestion: "Name exactly the files or processes you mean, inside the workspace.",
    });
  }
  if (finding?.level === "interactive") {
    throw shellError("interactive_command", `Nobody is at the keyboard: ${finding.reason}.`, {
      suggestion: `Use ${finding.instead ?? "a form that asks nothing"}.`,
    });
  }
}

function judge(call: CommandCall, context: ToolContext<ShellOptions>): Judged {
  checkText(call);
  const { options } = context;
  const added = call.environment ?? {};
  const place = resolvePlace(context.workspace, call.directory, call.tool.directoryParameter);
  const environment = buildEnvironment(process.env, {
    passed: options.pass_environment,
    proxy: options.pass_proxy,
    added,
  });
  const policy: PolicyContext = {
    roots: place.roots,
    directory: place.directory,
    ...(environment.HOME !== undefined && { home: environment.HOME }),
    path: environment.PATH ?? "",
    trustedDirectories: options.trusted_directories,
    mounts: readMounts(),
    host: readHost(),
    hasInput: call.stdin !== undefined,
  };
  return { place, environment, policy, verdict: judgeCall(call.command, added, policy) };
}

function checkText({ tool, command, environment = {}, stdin }: CommandCall): void {
  if (/^\s*(\["|\{")/.test(command)) {
    throw shellError("invalid_input", "command: expected shell text, received what looks like encoded JSON.", {
      suggestion: `Pass the text itself, as in ${tool.name}(command="ls -l src").`,
    });
  }
  if (command.trim() === "") throw shellError("invalid_input", "command: expected shell text, received only blanks.");
  for (const [name, value] of Object.entries(environment)) {
    if (!/^[A-Za-z_]\w*$/.test(name))
      throw shellError(
        "invalid_input",
        `env: expected names of letters, digits and _, received ${JSON.stringify(name)}.`,
      );
    if (value.includes("\0")) throw shellError("invalid_input", `env.${name}: expected text without NUL.`);
  }
  if (command.includes("\0")) throw shellError("invalid_input", "command: expected text without NUL.");
  if (stdin !== undefined && Buffer.byteLength(stdin) > 1_048_576)
    throw shellError("invalid_input", "stdin: expected at most 1 MiB.");
}

function resolveShell(configured: string | undefined): string {
  const shell = (configured === undefined ? SHELLS : [configured]).find(isExecutable);
  if (shell !== undefined) return shell;
  throw shellError("spawn_failed", `No bash was found at ${configured ?? SHELLS.join(", ")}.`, {
    suggestion: 'Set the option "shell" of @aiw/plugin-shell to an absolute path of bash.',
  });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
