import { hasAttachments, type Truncation } from "@aiw/core";
import type { ResultOwner } from "../call/result-reader.ts";
import { estimateTokens } from "./estimate-tokens.ts";
import type { FullResults } from "./full-results.ts";
import { fitsWithin, measureValue } from "./measure-value.ts";
import { shortenValue, type ShortenOptions } from "./shorten-value.ts";

/** Characters of a result a model is given, unless the host names another number. */
export const DEFAULT_RESULT_CHARACTERS = 30_000;

/** What a model is given at most; the smaller bound holds. */
export interface ResultBounds {
  /** Of the value as JSON. `success`, `error` and the value's name take at most 36 more; notices and media are not counted. */
  readonly characters: number;
  /** Estimated. */
  readonly tokens?: number | undefined;
}

/** A value as a model is given it. */
export interface TruncatedOutput {
  readonly value: unknown;
  /** Absent when the value is whole. */
  readonly truncated?: Truncation;
}

/** More characters than a token has in any text worth reading; what is longer need not be estimated. */
const MOST_CHARACTERS_OF_A_TOKEN = 16;

/** Fewer characters than a token has in most texts. */
const FEW_CHARACTERS_OF_A_TOKEN = 3;

/** Times a value is shortened to meet its bounds: with care at first, then with a heavier hand. */
const CAREFUL_ROUNDS = 6;
const MAX_ROUNDS = 12;

/** What shortening needs beside the value. */
export interface TruncateOptions {
  readonly bounds: ResultBounds;
  readonly full: FullResults;
  /** Whose the whole value is. */
  readonly owner?: ResultOwner;
}

/**
 * Shortens a value for a model and keeps the whole one under a reference. What is shown takes at most `characters` as
 * JSON, media in `attachments` aside, or is nothing but the mark of what was left out where even that is longer.
 */
export function truncateOutput(value: unknown, { bounds, full, owner }: TruncateOptions): TruncatedOutput {
  if (isWithin(value, bounds)) return { value };
  const size = measureValue(value);
  const reference = full.keep(value, size + measureMedia(value), owner);
  const where =
    reference === undefined ? "the whole result was too large to keep" : `the host keeps the whole as ${reference}`;
  const shortened = shorten(value, bounds, (omitted) => `${omitted} omitted; ${where}`);
  const omittedCharacters = Math.max(0, size - measureValue(shortened));
  return { value: shortened, truncated: { omittedCharacters, fullResult: reference ?? "" } };
}

/** Characters that a tool can rely on to reach the model. */
export function toCharacterBound({ characters, tokens = Infinity }: ResultBounds): number {
  return Math.min(characters, tokens * FEW_CHARACTERS_OF_A_TOKEN);
}

function isWithin(value: unknown, { characters, tokens }: ResultBounds): boolean {
  if (tokens === undefined) return fitsWithin(value, characters);
  // Estimating takes time with the size.
  return fitsWithin(value, readableBound(characters, tokens)) && estimateTokens(value) <= tokens;
}

function shorten(value: unknown, bounds: ResultBounds, mark: ShortenOptions["mark"]): unknown {
  const { characters, tokens = Number.POSITIVE_INFINITY } = bounds;
  let limit = readableBound(characters, tokens);
  let shortened = shortenValue(value, { limit, mark });
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const size = measureValue(shortened);
    const excess = findExcess(shortened, { size, bounds });
    if (excess <= 1) return shortened;
    limit = Math.floor((Math.min(limit, size) * (round < CAREFUL_ROUNDS ? 0.95 : 0.6)) / excess);
    shortened = shortenValue(value, { limit, mark });
  }
  return measureValue(shortened) <= characters ? shortened : toMarkAlone(value, mark);
}

/** Media stays beside the mark. */
function toMarkAlone(value: unknown, mark: ShortenOptions["mark"]): unknown {
  const note = `… ${mark(`${measureValue(value).toLocaleString("en")} characters`)} …`;
  return hasAttachments(value) ? { "…": note, attachments: value.attachments } : note;
}

/** How many times as large as it may be a value is; names and marks take room that is not shared out. */
function findExcess(
  value: unknown,
  { size, bounds: { characters, tokens } }: { readonly size: number; readonly bounds: ResultBounds },
): number {
  const ofCharacters = size / characters;
  return tokens === undefined ? ofCharacters : Math.max(ofCharacters, estimateTokens(value) / tokens);
}

function readableBound(characters: number, tokens: number): number {
  return Math.min(characters, tokens * MOST_CHARACTERS_OF_A_TOKEN);
}

/** What media takes beside the text: shown whole, but kept like everything else. */
function measureMedia(value: unknown): number {
  return hasAttachments(value) ? measureValue(value.attachments) : 0;
}
