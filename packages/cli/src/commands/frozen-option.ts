import type { ParseArgsOptionsConfig } from "node:util";
import type { Invocation } from "../command.ts";

/** The flag of every command that finds tools. */
export const FROZEN_OPTION: ParseArgsOptionsConfig = { frozen: { type: "boolean" } };

/** Its line of the help. */
export const FROZEN_HELP = "--frozen   fails (exit code 4) unless all tools are as aiw.lock pins them";

/** True when the flag is given; without it environment and configuration decide. */
export function isFrozen(flags: Invocation["flags"]): boolean {
  return flags["frozen"] === true;
}
