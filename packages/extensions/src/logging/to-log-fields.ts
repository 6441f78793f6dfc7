import { toJsonValue } from "@aiw/core";
import { toRecordedText, toRecordedValue } from "@aiw/executor";

/** Characters of the fields of one line, and of a text of an error. */
const MAX_CHARACTERS = 16 * 1024;

/** Copies what somebody logs: bounded, secrets masked, hidden characters escaped; never throws (SEC-LOG-1, SEC-LOG-2). */
export function toLogFields(fields: object, secrets: readonly string[]): object {
  try {
    const plain = Object.fromEntries(
      Object.entries(fields).map(([name, value]: [string, unknown]) => [name, toPlain(value)]),
    );
    return toRecordedValue(plain, { known: secrets, characters: MAX_CHARACTERS }) as object;
  } catch {
    return { unreadable: true };
  }
}

/** The same for a message. */
export function toLogMessage(message: unknown, secrets: readonly string[]): string {
  try {
    return toRecordedText(String(message), { known: secrets, characters: MAX_CHARACTERS });
  } catch {
    return "[unreadable]";
  }
}

function toPlain(value: unknown): unknown {
  return value instanceof Error ? toPlainError(value, 0) : toJsonValue(value);
}

/** The host's own log has the stack: it is where faults are looked for. */
function toPlainError(error: Error, depth: number): object {
  const { name, message, stack, cause } = error;
  const code: unknown = "code" in error ? error.code : undefined;
  return {
    name: String(name),
    message: String(message),
    ...(typeof code === "string" && { code }),
    ...(stack !== undefined && { stack: String(stack) }),
    ...(cause instanceof Error && depth < 3 && { cause: toPlainError(cause, depth + 1) }),
  };
}
