import { RE2JS } from "re2js";
import { scanRegex, WORD_CHARACTERS } from "./scan-regex.ts";

/** A pattern of the built-in engine, as data, so that it can be sent to another thread. */
export interface RegexSource {
  readonly source: string;
  readonly flags: number;
  /** The group that holds the match itself. */
  readonly group: 0 | 1;
}

/** The parts of a query that make the pattern. */
export interface RegexRequest {
  readonly pattern: string;
  readonly literal: boolean;
  readonly word: boolean;
  readonly multiline: boolean;
  readonly ignoreCase: boolean;
}

/** Says why a pattern cannot be used, or gives it in the built-in engine's words. */
export function toRegexSource(request: RegexRequest): RegexSource | { readonly problem: string } {
  const { strayBrace, portable } = scanRegex(request.pattern);
  if (!request.literal && strayBrace !== -1) {
    return { problem: `the { at position ${strayBrace + 1} is no repetition` };
  }
  const pattern = request.literal ? RE2JS.quote(request.pattern) : portable;
  const flags = (request.multiline ? RE2JS.MULTILINE : 0) | (request.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  const edge = `[^${WORD_CHARACTERS}]`;
  const source = request.word ? `(?:^|${edge})(${pattern})(?:$|${edge})` : pattern;
  try {
    // Alone first: a stray parenthesis must not close a group of ours.
    RE2JS.compile(pattern, flags);
    RE2JS.compile(source, flags);
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
  return { source, flags, group: request.word ? 1 : 0 };
}
