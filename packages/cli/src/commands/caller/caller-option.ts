import type { ParseArgsOptionsConfig } from "node:util";

/** The flags that say who calls. */
export const CALLER_OPTION: ParseArgsOptionsConfig = {
  principal: { type: "string" },
  role: { type: "string", multiple: true },
};

/** What the help of commands says that show what a caller is offered. */
export const CALLER_HELP = `--principal ID, --role NAME (repeatable)
           only what extensions.auth of the configuration offers to this caller`;
