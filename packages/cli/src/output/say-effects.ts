import type { ToolEffects } from "@aiw/core";

/** Says what a call may do, in the words of every command: `reads`, `adds` or `may overwrite`, and `also outside` of the project. */
export function sayEffects({ readOnly, destructive, openWorld }: ToolEffects): string {
  const what = readOnly ? "reads" : destructive ? "may overwrite" : "adds";
  return openWorld ? `${what}, also outside` : what;
}

/** The same with the flags it is said of: `reads (readOnly, idempotent)`. */
export function sayEffectsInFull(effects: ToolEffects): string {
  const flags = Object.entries(effects).flatMap(([flag, yes]) => (yes === true ? [flag] : []));
  return `${sayEffects(effects)} (${flags.join(", ") || "no flag"})`;
}
