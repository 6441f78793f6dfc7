import { AiwError, type ToolLog } from "@aiw/core";
import { toRecordedText, toRecordedValue } from "@aiw/executor";
import type { CliIo } from "../../io.ts";
import { oneLine } from "../../output/one-line.ts";
import { printLine } from "../../output/print.ts";

/** Characters of one line's fields. */
const MAX_CHARACTERS = 2000;

/** Where lines go, and what comes before each. */
export interface LogPlace {
  readonly io: Pick<CliIo, "stderr">;
  /** Ends a line of output that a tool left open. */
  endLine(): void;
}

/** Says warnings and errors of the engine to the person at the terminal, one line each; the rest is for logs that are configured. */
export function createLog({ io, endLine }: LogPlace): ToolLog {
  const say =
    (level: "warning" | "error"): ToolLog["warn"] =>
    (message, fields = {}) => {
      const facts = describe(fields);
      endLine();
      printLine(io.stderr, oneLine(`${level.padEnd(9)} ${toRecordedText(String(message))}${facts && ` (${facts})`}`));
    };
  const silent = (): void => undefined;
  return { debug: silent, info: silent, warn: say("warning"), error: say("error") };
}

/** The id of the one call there is tells nobody anything. */
function describe(fields: object): string {
  try {
    const named = Object.entries(fields).filter(([name, value]) => name !== "callId" && value !== undefined);
    const plain = Object.fromEntries(named.map(([name, value]: [string, unknown]) => [name, toPlain(value)]));
    const masked = Object.entries(toRecordedValue(plain, { characters: MAX_CHARACTERS }) as object);
    return masked
      .map(
        ([name, value]: [string, unknown]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
      )
      .join("; ");
  } catch {
    return "what it is about cannot be read";
  }
}

function toPlain(value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const { message } = value;
  const fix = AiwError.is(value) && value.fix !== undefined ? ` Fix: ${value.fix}` : "";
  return toRecordedText(`${message}${fix}`);
}
