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

/** What keeps a pattern from being read. */
export interface GlobProblem {
  /** One sentence. */
  readonly message: string;
  readonly suggestion: string;
  /** From 1; absent when the whole pattern is at fault. */
  readonly position?: number;
  /** What was probably meant. */
  readonly corrected?: string;
}

/** A pattern read, or why it cannot be. */
export type ParsedGlob =
  | { readonly branches: readonly GlobBranch[]; readonly problem?: undefined }
  | { readonly branches?: undefined; readonly problem: GlobProblem };

/** How many alternatives a pattern may stand for. */
export const MOST_BRANCHES = 1000;
const LONGEST_GLOB = 4096;

/** Reads a path pattern: `*`, `?`, `[set]`, `{a,b}`, `{1..3}`, `**`, and `\` before a character meant as such. */
export function parseGlob(pattern: string): ParsedGlob {
  const problem = findProblem(pattern);
  if (problem !== undefined) return { problem };
  const branches = expandBraces(pattern, MOST_BRANCHES);
  return branches === undefined ? { problem: tooManyBranches() } : { branches: branches.map(toBranch) };
}

/** The problem of patterns that stand for more than `MOST_BRANCHES` alternatives. */
export function tooManyBranches(): GlobProblem {
  return {
    message: `The patterns stand for more than ${MOST_BRANCHES} alternatives.`,
    suggestion: "Use * instead of listing alternatives, or ask in several calls.",
  };
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

function findProblem(pattern: string): GlobProblem | undefined {
  if (pattern === "" || pattern.length > LONGEST_GLOB || pattern.includes("\0")) {
    const why = pattern === "" ? "is empty" : pattern.includes("\0") ? "holds a NUL character" : "is too long";
    return { message: `The pattern ${why}.`, suggestion: 'Use a pattern like "**/*.ts".' };
  }
  return findMisspelling(pattern);
}

function findMisspelling(pattern: string): GlobProblem | undefined {
  const braces: number[] = [];
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === "\\") {
      if (at + 1 === pattern.length) return unreadable(pattern, at, "nothing follows the backslash");
      at += 1;
    } else if (character === "[") {
      const end = findSetEnd(pattern, at);
      if (end === -1) return unreadable(pattern, at, "the [ is never closed");
      at = end;
    } else if (character === "{") braces.push(at);
    else if (character === "}") braces.pop();
    else if (character === "(") {
      const problem = findExtendedGlob(pattern, at);
      if (problem !== undefined) return problem;
    }
  }
  const open = braces.at(-1);
  return open === undefined ? undefined : unreadable(pattern, open, "the { is never closed");
}

/** `@(a|b)` and its kin are not understood, while `(group)` is an ordinary name. */
function findExtendedGlob(pattern: string, at: number): GlobProblem | undefined {
  const close = pattern.indexOf(")", at);
  const body = pattern.slice(at + 1, close);
  if (!"@+?*!".includes(pattern[at - 1] ?? " ") || close === -1 || !body.includes("|")) return undefined;
  const corrected = `${pattern.slice(0, at - 1)}{${body.replaceAll("|", ",")}}${pattern.slice(close + 1)}`;
  const message = `Invalid glob at position ${at}: (a|b) is not supported: ${shorten(pattern)}`;
  return { message, suggestion: `Did you mean ${JSON.stringify(corrected)}?`, position: at, corrected };
}

function unreadable(pattern: string, at: number, why: string): GlobProblem {
  const corrected = `${pattern.slice(0, at)}\\${pattern.slice(at)}`;
  const message = `Invalid glob at position ${at + 1}: ${why}: ${shorten(pattern)}`;
  return {
    message,
    suggestion: `To mean the character itself: ${JSON.stringify(corrected)}.`,
    position: at + 1,
    corrected,
  };
}

function shorten(pattern: string): string {
  return JSON.stringify(pattern.length > 200 ? `${pattern.slice(0, 200)}…` : pattern);
}
