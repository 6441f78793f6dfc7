import type { ToolSpec } from "@aiw/core";
import { invalidImplementation } from "./invalid-implementation.ts";
import { isRecord } from "../../call/is-record.ts";

/** Members of an implementation as they came. */
export type Members = Readonly<Record<string, unknown>>;

/**
 * Gives the members of a spec's implementation; a misspelt one would silently not hold.
 * @throws ToolError `implementation_invalid`
 */
export function readImplementation({ implementation }: ToolSpec, known: readonly string[]): Members {
  if (!isRecord(implementation)) throw invalidImplementation("", `must be an object with ${known.join(", ")}`);
  const unknown = Object.keys(implementation).find((name) => !known.includes(name));
  if (unknown === undefined) return implementation;
  throw invalidImplementation(unknown.slice(0, 60), `is unknown; members are ${known.join(", ")}`);
}

/** Gives a text member; undefined where it is absent. */
export function readText(members: Members, name: string): string | undefined {
  const value = members[name];
  if (value === undefined || (typeof value === "string" && value !== "")) return value;
  throw invalidImplementation(name, "must be a text");
}

/** Gives a member that is one of some words; the first where it is absent. */
export function readWord<const Word extends string>(
  members: Members,
  name: string,
  words: readonly [Word, ...Word[]],
): Word {
  const value = members[name];
  if (value === undefined) return words[0];
  const word = words.find((each) => each === value);
  if (word !== undefined) return word;
  throw invalidImplementation(name, `must be one of ${words.join(", ")}`);
}

/** Gives a member that is an object; an empty one where it is absent. */
export function readMembers(members: Members, name: string): Members {
  const value = members[name];
  if (value === undefined) return {};
  if (isRecord(value)) return value;
  throw invalidImplementation(name, "must be an object");
}
