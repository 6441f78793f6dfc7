import { nearestNames } from "@aiw/core";
import { COMMANDS } from "./command-table.ts";
import { oneLine } from "./output/one-line.ts";
import { UsageError } from "./usage-error.ts";

/** Says that there is no such command, and which may have been meant. */
export function refuseCommand(name: string): UsageError {
  if (name.startsWith("-")) return new UsageError(`Flags come after the command: aiw COMMAND ${oneLine(name)} …`);
  const known = Object.keys(COMMANDS);
  const [nearest] = nearestNames(name, known, 1);
  const hint = nearest === undefined ? `Commands: ${known.join(", ")}.` : `Did you mean ${nearest}?`;
  return new UsageError(`There is no command ${JSON.stringify(name)}. ${hint}`);
}
