import { ToolError } from "@aiw/core";
import type { CollectedOutput, RunOutcome } from "@aiw/core/node";

/** What a command gave. */
export interface CommandOutput {
  readonly exit_code: 0;
  readonly stdout: string;
  readonly stderr: string;
  /** True when the middle of a stream is left out. */
  readonly truncated?: boolean;
  /** What a reader should know beside the output. */
  readonly notices?: readonly string[];
}

/** What a result says beside what was printed. */
export interface CommandResultOptions {
  readonly program: string;
  readonly output: "text" | "json";
  readonly signal: AbortSignal;
}

const FAILURE_CHARACTERS = 8000;

/**
 * Makes the result of a command that ran.
 * @throws ToolError `command_failed` for a code other than 0 and for a signal, `too_large`, `invalid_output`, and what stopped it.
 */
export function toCommandResult(outcome: RunOutcome, printed: CollectedOutput, options: CommandResultOptions): unknown {
  const { program, signal } = options;
  if (outcome.ended === "cancelled" || outcome.ended === "timeout") throw toStopped(outcome, printed, signal);
  if (outcome.ended === "output_limit") {
    throw new ToolError("too_large", `${program} was stopped after 64 MiB of output.`, {
      details: toDetails(outcome, printed),
      settled: outcome.survivors.length === 0,
    });
  }
  if (outcome.exitCode !== 0) {
    const end = outcome.signal === null ? `ended with code ${outcome.exitCode}` : `was ended by ${outcome.signal}`;
    const last = printed.lastError === "" ? "." : `: ${printed.lastError}`;
    throw new ToolError("command_failed", `${program} ${end}${last}`, { details: toDetails(outcome, printed) });
  }
  return options.output === "json" ? parseOutput(printed, program) : toOutput(outcome, printed);
}

function toStopped(outcome: RunOutcome, printed: CollectedOutput, signal: AbortSignal): ToolError {
  const reason: unknown = signal.reason;
  const settled = outcome.survivors.length === 0;
  const details = toDetails(outcome, printed);
  if (!ToolError.is(reason))
    return new ToolError("cancelled", "The command was stopped.", { cause: reason, settled, details });
  const { code, message, suggestion } = reason;
  return new ToolError(code, message, {
    cause: reason,
    settled,
    details,
    ...(suggestion !== undefined && { suggestion }),
  });
}

function toOutput(outcome: RunOutcome, { stdout, stderr, binary }: CollectedOutput): CommandOutput {
  const [out, err] = [stdout.read(), stderr.read()];
  const notices = [
    ...binary.map((channel) => `${channel} holds binary data, shown only as far as it was text`),
    ...(outcome.leftovers.length === 0
      ? []
      : [`processes left running were stopped (${outcome.leftovers.length}); a command must end by itself`]),
    ...(outcome.survivors.length === 0 ? [] : [`not confirmed dead: ${outcome.survivors.slice(0, 20).join(", ")}`]),
  ];
  return {
    exit_code: 0,
    stdout: out.text,
    stderr: err.text,
    ...((out.truncated || err.truncated) && { truncated: true }),
    ...(notices.length > 0 && { notices }),
  };
}

function toDetails(
  { exitCode, signal }: RunOutcome,
  { stdout, stderr }: CollectedOutput,
): Readonly<Record<string, unknown>> {
  return {
    exit_code: exitCode,
    ...(signal !== null && { signal }),
    stdout: stdout.read(FAILURE_CHARACTERS).text,
    stderr: stderr.read(FAILURE_CHARACTERS).text,
  };
}

function parseOutput({ stdout }: CollectedOutput, program: string): unknown {
  const { text, truncated } = stdout.read();
  try {
    if (!truncated) return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new ToolError("invalid_output", `${program} did not print JSON.`, {
      cause,
      details: { stdout: stdout.read(FAILURE_CHARACTERS).text },
    });
  }
  throw new ToolError("too_large", `${program} printed more than can be read as JSON.`);
}
