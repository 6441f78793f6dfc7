import type { ToolContext } from "@aiw/core";
import {
  createOutputCollector,
  createSecretMask,
  runProcess,
  type CollectedOutput,
  type RunOutcome,
} from "@aiw/core/node";
import { constants } from "node:os";
import type { ShellOptions } from "../options.ts";
import { prepareCommand, type CommandCall } from "./prepare-command.ts";
import type { Place } from "./resolve-place.ts";

/** A command that ran, and all that is known of it. */
export interface CommandRun {
  readonly place: Place;
  readonly outcome: RunOutcome;
  readonly output: CollectedOutput;
  /** Exit code, or 128 + n after signal n. */
  readonly returnCode: number;
  /** What a caller should know beside the output. */
  readonly notices: readonly string[];
}

/** Characters of output a result holds at most. */
export const KEPT_CHARACTERS = 30_000;
const LISTED_PIDS = 20;
const MAX_OUTPUT_BYTES = 64 * 1_048_576;

/** Judges and runs a command, streaming what it prints. */
export async function runCommand(
  call: CommandCall,
  timeoutMs: number,
  context: ToolContext<ShellOptions>,
): Promise<CommandRun> {
  const { place, environment, shell } = prepareCommand(call, context);
  const collector = createOutputCollector({
    limit: KEPT_CHARACTERS,
    mask: createSecretMask(environment),
    emit: (channel, text) => context.emitOutput(text, { channel }),
  });
  const outcome = await runProcess({
    file: shell,
    args: ["--noprofile", "--norc", "-c", call.command],
    advice: `Set the option "shell" of @aiw/plugin-shell to an absolute path of bash; it is ${shell}.`,
    cwd: place.directory,
    environment,
    ...(call.stdin !== undefined && { stdin: call.stdin }),
    timeoutMs,
    signal: context.signal,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    onOutput: collector.add,
  }).finally(collector.end);
  const output = collector.end();
  return { place, outcome, output, returnCode: toReturnCode(outcome), notices: toNotices(outcome, output) };
}

function toReturnCode({ exitCode, signal }: RunOutcome): number {
  if (exitCode !== null) return exitCode;
  return 128 + (signal === null ? constants.signals.SIGKILL : constants.signals[signal]);
}

function toNotices(outcome: RunOutcome, output: CollectedOutput): string[] {
  const notices: string[] = [];
  if (outcome.ended === "output_limit")
    notices.push("stopped after 64 MiB of output; pipe it through head, tail or grep, or into a file");
  for (const channel of output.binary) {
    notices.push(
      `${channel} holds binary data (${outcome.totalBytes[channel]} bytes), shown only as far as it was text`,
    );
  }
  if (outcome.leftovers.length > 0)
    notices.push(
      `processes left running in the background were stopped (${outcome.leftovers.length}); a command must end by itself`,
    );
  if (outcome.survivors.length > 0) notices.push(`not confirmed dead: ${listPids(outcome.survivors)}`);
  return notices;
}

/** Names the first processes and counts the others. */
export function listPids(pids: readonly number[]): string {
  const listed = pids.slice(0, LISTED_PIDS).join(", ");
  return pids.length > LISTED_PIDS ? `${listed} and ${pids.length - LISTED_PIDS} more` : listed;
}
