import type { ParseArgsOptionsConfig } from "node:util";

/** The flag of commands that may look at one toolset alone. */
export const TOOLSET_OPTION: ParseArgsOptionsConfig = { toolset: { type: "string" } };

/** What its help says. */
export const TOOLSET_HELP = "--toolset  only the tools of a toolset of the configuration";
