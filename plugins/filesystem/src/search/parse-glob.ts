import { filesystemError } from "../errors.ts";
import { expandBraces } from "./expand-braces.ts";
import { findSetEnd, toGlobTokens, type GlobToken } from "./glob-tokens.ts";

/** One name of a path pattern; `**` stands for any number of folders. */
export type GlobSegment =
  | { readonly kind: "folders" }
  | {
      readonly kind: "name";
      readonly source: string;
      readonly tokens: readonly GlobToken[];
      readonly literal?: string;
    };

/** One alternative of a pattern, braces resolved. */
export type GlobBranch = readonly GlobSegment[];

const LONGEST_GLOB = 4096;
const MOST_BRANCHES = 1000;

/**
 * Reads a path pattern: `*`, `?`, `[set]`, `{a,b}`, `{1..3}`, `**`, and `\` before a character meant as such.
 * @throws ToolError `invalid_glob` with the position and a corrected form.
 */
export function parseGlob(pattern: string): GlobBranch[] {
  assertGlob(pattern);
  const branches = expandBraces(pattern);
  if (branches === undefined) throw tooManyBranches();
  return branches.map(toBranch);
}

/**
 * Bounds what the patterns of one call stand for together.
 * @throws ToolError `invalid_glob`.
 */
export function assertFewBranches(count: number): void {
  if (count > MOST_BRANCHES) throw tooManyBranches();
}

function tooManyBranches() {
  return filesystemError("invalid_glob", `The patterns stand for more than ${MOST_BRANCHES} alternatives.`, {
    suggestion: "Use * instead of listing alternatives, or ask in several calls.",
  });
}

/** Splits a well-formed pattern without braces into its names; `.` and empty names are dropped. */
export function toBranch(pattern: string): GlobBranch {
  const names = splitNames(pattern).filter((name) => name !== "" && name !== ".");
  return names.map((source): GlobSegment => {
    if (source === "**") return { kind: "folders" };
    const tokens = toGlobTokens(source);
    const isLiteral = tokens.every(({ kind }) => kind === "character");
    const literal = tokens.map((token) => (token.kind === "character" ? token.text : "")).join("");
    return { kind: "name", source, tokens, ...(isLiteral && { literal }) };
  });
}

/** Whether a `/` separates names in the pattern, apart from one at its end. */
export function hasFolders(pattern: string): boolean {
  return splitNames(pattern).filter((name) => name !== "").length > 1 || pattern.startsWith("/");
}

function splitNames(pattern: string): string[] {
  const names: string[] = [];
  let start = 0;
  for (let at = 0; at < pattern.length; at += 1) {
    if (pattern[at] === "\\" && pattern[at + 1] !== "/") at += 1;
    else if (pattern[at] === "/") {
      names.push(pattern.slice(start, at));
      start = at + 1;
    }
  }
  return [...names, pattern.slice(start)];
}

function assertGlob(pattern: string): void {
  if (pattern === "" || pattern.length > LONGEST_GLOB || pattern.includes("\0")) {
    const why = pattern === "" ? "is empty" : pattern.includes("\0") ? "holds a NUL character" : "is too long";
    throw filesystemError("invalid_glob", `The pattern ${why}.`, { suggestion: 'Use a pattern like "**/*.ts".' });
  }
  const braces: number[] = [];
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === "\\") {
      if (at + 1 === pattern.length) throw invalidGlob(pattern, at, "nothing follows the backslash");
      at += 1;
    } else if (character === "[") {
      const end = findSetEnd(pattern, at);
      if (end === -1) throw invalidGlob(pattern, at, "the [ is never closed");
      at = end;
    } else if (character === "{") braces.push(at);
    else if (character === "}") braces.pop();
    else if (character === "(") assertNoExtendedGlob(pattern, at);
  }
  const open = braces.at(-1);
  if (open !== undefined) throw invalidGlob(pattern, open, "the { is never closed");
}

/** `@(a|b)` and its kin are not understood, while `(group)` is an ordinary name. */
function assertNoExtendedGlob(pattern: string, at: number): void {
  const close = pattern.indexOf(")", at);
  const body = pattern.slice(at + 1, close);
  if (!"@+?*!".includes(pattern[at - 1] ?? " ") || close === -1 || !body.includes("|")) return;
  const corrected = `${pattern.slice(0, at - 1)}{${body.replaceAll("|", ",")}}${pattern.slice(close + 1)}`;
  throw filesystemError("invalid_glob", `Invalid glob at position ${at}: (a|b) is not supported: ${shorten(pattern)}`, {
    suggestion: `Did you mean ${JSON.stringify(corrected)}?`,
    details: { position: at, corrected },
  });
}

function invalidGlob(pattern: string, at: number, why: string) {
  const corrected = `${pattern.slice(0, at)}\\${pattern.slice(at)}`;
  return filesystemError("invalid_glob", `Invalid glob at position ${at + 1}: ${why}: ${shorten(pattern)}`, {
    suggestion: `To mean the character itself: ${JSON.stringify(corrected)}.`,
    details: { position: at + 1, corrected },
  });
}

function shorten(pattern: string): string {
  return JSON.stringify(pattern.length > 200 ? `${pattern.slice(0, 200)}…` : pattern);
}
