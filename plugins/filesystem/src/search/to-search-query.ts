import { filesystemError } from "../errors.ts";
import type { Deadline } from "./deadline.ts";
import { spellAgain } from "../files/spell-again.ts";
import { grepInput, type GrepInput } from "./grep-schema.ts";
import { LANGUAGES, namesOfLanguage } from "./language-names.ts";
import { createPathFilter } from "./path-filter.ts";
import { scanRegex } from "./scan-regex.ts";
import type { SearchQuery } from "./search-query.ts";

/** A name pattern that both engines read the same way. */
const PLAIN_NAME = /^(?:\*\*\/)?(\*\.[A-Za-z0-9_]+)$/u;

/**
 * Makes a query of a call's arguments.
 * @throws ToolError `invalid_regex`, `invalid_glob`, and `invalid_input` for an unknown language or encoding.
 */
export function toSearchQuery(args: GrepInput, deadline: Deadline): SearchQuery {
  assertNoNul(args);
  const scan = scanRegex(args.pattern);
  assertOneLine(args, scan.hasNewline);
  assertEncoding(args);
  const typeNames = args.type === undefined ? undefined : requireLanguage(args.type, args);
  const filter = createPathFilter(args);
  const ofType = typeNames && createPathFilter({ include: typeNames });
  const byHit = args.output_mode === "content" || args.output_mode === "matches";
  const hasCapital = args.literal ? /\p{Lu}/u.test(args.pattern) : scan.hasCapital;
  return {
    pattern: args.pattern,
    literal: args.literal,
    word: args.word,
    multiline: args.multiline,
    pcre2: args.pcre2,
    invert: args.invert,
    ignoreCase: args.case === "insensitive" || (args.case === "smart" && !hasCapital),
    encoding: args.encoding === "auto" ? "auto" : args.encoding.toLowerCase(),
    maxFileBytes: args.max_file_bytes,
    keep: byHit ? args.max_per_file : 1,
    byHit,
    pageEnd: args.offset + args.max_matches,
    hidden: args.hidden,
    noIgnore: args.no_ignore,
    names: typeNames ?? toPlainNames(args.include),
    deadline,
    admitsAll: args.include.length === 0 && args.exclude.length === 0 && ofType === undefined,
    admits: (names) => filter.admits(names) && ofType?.admits(names) !== false,
    again: (changed) => again(args, changed),
    mayEnter: (folder) => !filter.excludes(folder),
  };
}

/** Helps the engine to leave out files early; only when every pattern is of the plain kind. */
function toPlainNames(include: readonly string[]): string[] {
  const names = include.map((pattern) => PLAIN_NAME.exec(pattern)?.[1]);
  const plain = names.filter((name) => name !== undefined);
  return plain.length === names.length ? plain : [];
}

const LONGEST_PATTERN = 1000;

/** A pattern too long to be said again is left for the caller to fill in. */
function again(args: GrepInput, changed: Partial<GrepInput>): string {
  const pattern = args.pattern.length > LONGEST_PATTERN ? "…" : args.pattern;
  return spellAgain("grep", grepInput, { ...args, pattern, ...changed });
}

/** No argument of a program can hold one, and no line of text does. */
function assertNoNul(args: GrepInput): void {
  if (!args.pattern.includes("\0")) return;
  const pattern = args.pattern.replaceAll("\0", "");
  throw filesystemError("invalid_regex", "The pattern holds a NUL character, which no line of a text file holds.", {
    suggestion: pattern === "" ? "Give a pattern without it." : `${again(args, { pattern })} searches without it.`,
  });
}

function assertOneLine(args: GrepInput, hasNewline: boolean): void {
  const { literal, multiline, pattern } = args;
  const crosses = literal ? pattern.includes("\n") : hasNewline;
  if (multiline || !crosses) return;
  throw filesystemError("invalid_regex", "The pattern holds a line feed, and matches stay within one line.", {
    suggestion: `${again(args, { multiline: true })} lets matches cross lines.`,
  });
}

function assertEncoding(args: GrepInput): void {
  const { encoding } = args;
  if (encoding === "auto") return;
  try {
    new TextDecoder(encoding);
  } catch (error) {
    throw filesystemError("invalid_input", `encoding: no encoding is called ${JSON.stringify(encoding)}.`, {
      cause: error,
      suggestion: `${again(args, { encoding: "auto" })}, or a label such as "windows-1252", "shift_jis" or "utf-16le".`,
    });
  }
}

function requireLanguage(type: string, args: GrepInput): readonly string[] {
  const names = namesOfLanguage(type);
  if (names !== undefined) return names;
  const include = [...args.include, `*.${type.replaceAll(/[^A-Za-z0-9_]/gu, "")}`];
  const byExtension = again(args, { type: undefined, include });
  throw filesystemError("invalid_input", `type: no language is called ${JSON.stringify(type)}.`, {
    suggestion: `${byExtension}, or one of ${LANGUAGES.join(", ")}.`,
  });
}
