import { ToolError } from "@aiw/core";
import { escapeQuoted, quoteName } from "./show-name.ts";

/** Spells the call that failed, or one that leads on, for another path. */
export type CallForPath = (path: string) => string;

/** What leads on to a change of a file. */
export const readFirst: CallForPath = (path) => `read(file_paths=[${quoteName(path)}])`;

/** Does the work of a call about one path; a failure that says of no call to make next gets one. */
export async function withNextCall<Result>(
  path: string,
  again: CallForPath,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw ToolError.is(error) ? suggestNext(error, path, again) : error;
  }
}

/** Adds to a failure about a path the call to make next, with real values, unless it has one. */
export function suggestNext(error: ToolError, path: string, again: CallForPath): ToolError {
  const { code, type, status, retryable, message, details, parameters } = error;
  if (error.suggestion !== undefined && HAS_CALL.test(error.suggestion)) return error;
  const suggestion = findCall(error, path, again);
  if (suggestion === undefined) return error;
  return new ToolError(code, message, {
    ...{ type, status, retryable, cause: error, suggestion: escapeQuoted(suggestion) },
    ...(details !== undefined && { details }),
    ...(parameters !== undefined && { parameters }),
  });
}

const HAS_CALL = /\b[a-z_]+\(/u;
const LONGEST_CALL = 2000;

function findCall({ code, details = {} }: ToolError, path: string, again: CallForPath): string | undefined {
  if (code === "not_a_file") return `list(path=${quoteName(path)})`;
  if (code === "outside_root") return "list() shows what the workspace holds; use a path inside it.";
  if (code === "conflict") return `read(file_paths=[${quoteName(path)}]), then repeat the change on what it holds now.`;
  if (code !== "not_found") return undefined;
  const [first, ...others] = toNames(details["nearest"]);
  // Of a folder that is missing on the way the nearest name is a hint only.
  const call = first === undefined || details["missing_folder"] !== undefined ? undefined : again(first);
  if (call !== undefined && call.length <= LONGEST_CALL) return withOthers(call, others);
  const target = details["link_target"];
  return withOthers(
    spellSearchFor(typeof target === "string" ? target : path),
    first === undefined ? [] : [first, ...others],
  );
}

function toNames(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];
}

function withOthers(call: string, names: readonly string[]): string {
  return names.length === 0 ? call : `${call}; near it: ${names.map(quoteName).join(", ")}.`;
}

/** A search for the last name of a path, whatever characters of patterns it holds. */
export function spellSearchFor(path: string): string {
  const name = path.split(/[/\\]/u).findLast((part) => part !== "" && part !== "." && part !== "..") ?? "*";
  const pattern = name === "*" ? name : name.replaceAll(/[\\*?[\]{}!]/gu, String.raw`\$&`);
  return `glob(patterns=[${quoteName(`**/${pattern}`)}], kind="any")`;
}
