import { oneLine } from "../../output/one-line.ts";

/** Tools that are named in one line; the others are counted. */
const MOST = 8;

/** Names tools for people. */
export function nameTools(names: readonly string[]): string {
  const shown = names.slice(0, MOST).map(oneLine).join(", ");
  return names.length > MOST ? `${shown} and ${names.length - MOST} more` : shown;
}
