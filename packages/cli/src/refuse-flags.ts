import { nearestNames } from "@aiw/core";
import type { ParseArgsOptionsConfig } from "node:util";

/** Says in our words what is wrong with the flags of a line; Node's own text where it says something new. */
export function describeFlagError(error: unknown, options: ParseArgsOptionsConfig): string {
  const said = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const flag = /'(?:-\w, )?(-[^'\s=]*)/.exec(said)?.[1];
  if (flag === undefined) return said;
  if (code === "ERR_PARSE_ARGS_UNKNOWN_OPTION") return `There is no option ${flag}.${suggest(flag, options)}`;
  if (code !== "ERR_PARSE_ARGS_INVALID_OPTION_VALUE") return said;
  if (said.includes("does not take an argument")) return `${flag} takes no value.`;
  return `${flag} needs a value: ${flag}=…`;
}

function suggest(flag: string, options: ParseArgsOptionsConfig): string {
  const names = Object.keys(options);
  const [nearest] = nearestNames(flag.replace(/^-+/, ""), names, 1);
  if (nearest !== undefined) return ` Did you mean --${nearest}?`;
  return ` Options: ${names.map((name) => `--${name}`).join(", ")}. A word that begins with - comes after --.`;
}
