import { cut, showValue } from "../../schema/show-value.ts";
import { typeOfJson } from "../../schema/subschemas.ts";
import { toCallPath } from "../call-path.ts";
import type { Change, Path } from "./change.ts";

const MAX_SENTENCES = 8;

/** What is known of the members that changes are about. */
export interface Telling {
  isSecret(path: Path): boolean;
  /** What is done may be another thing without it. */
  isNeeded(path: Path): boolean;
}

/** Says each change in a sentence, for a call that is not written out: `Rename file to file_paths.` */
export function tellChanges(changes: readonly Change[], telling: Telling): string {
  const shown = new Set(changes.filter(({ kind }) => kind === "example").map(({ path }) => toCallPath(path)));
  // What is sent otherwise is not left out.
  const told = changes.filter(({ kind, path }) => kind !== "drop" || !shown.has(toCallPath(path)));
  const sentences = [...new Set(told.map((change) => tell(change, telling)))];
  const more = sentences.length - MAX_SENTENCES;
  return [...sentences.slice(0, MAX_SENTENCES), ...(more > 0 ? [`And ${more} more.`] : [])].join(" ");
}

function tell(change: Change, { isSecret, isNeeded }: Telling): string {
  const name = toCallPath(change.path);
  switch (change.kind) {
    case "move":
      return change.to.length === 0
        ? `Send the members of ${name} themselves.`
        : `Rename ${name} to ${toCallPath(change.to)}.`;
    case "convert":
      return `Send ${name} as ${isSecret(change.path) ? typeWord(change.value) : formOf(change.value)}.`;
    case "drop":
      return isNeeded(change.path) ? `Leave out ${name}, if it is not needed.` : `Leave out ${name}.`;
    case "example":
      return `Send ${name}, ${typeWord(change.value)}.`;
  }
}

function formOf(value: unknown): string {
  return typeof value === "object" || typeof value === "string" ? typeWord(value) : cut(showValue(value), 40);
}

function typeWord(value: unknown): string {
  const type = typeOfJson(value);
  return `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`;
}
