import type { Truncation } from "@aiw/core";
import type { FullResults } from "./full-results.ts";
import { fitsWithin, hasAttachments, isContainer, measureValue } from "./measure-value.ts";
import { shortenValue } from "./shorten-value.ts";

/** Characters of a result a model is given, unless the host names another number. */
export const DEFAULT_RESULT_CHARACTERS = 30_000;

/** A value as a model is given it. */
export interface TruncatedOutput {
  readonly value: unknown;
  /** Absent when the value is whole. */
  readonly truncated?: Truncation;
}

/** Shortens a value for a model and keeps the whole one under a reference. */
export function truncateOutput(value: unknown, limit: number, full: FullResults): TruncatedOutput {
  if (fitsWithin(value, limit)) return { value };
  const size = measureValue(value);
  const reference = full.keep(value, size + measureMedia(value));
  const where =
    reference === undefined ? "the whole result was too large to keep" : `the host keeps the whole as ${reference}`;
  const shortened = shortenValue(value, { limit, mark: (omitted) => `${omitted} omitted; ${where}` });
  const omittedCharacters = Math.max(0, size - measureValue(shortened));
  return { value: shortened, truncated: { omittedCharacters, fullResult: reference ?? "" } };
}

/** What media takes beside the text: shown whole, but kept like everything else. */
function measureMedia(value: unknown): number {
  return isContainer(value) && hasAttachments(value) ? measureValue(value.attachments) : 0;
}
