import { AiwError, DEFAULT_GRACE_MS, nearestNames, type LimitsConfig } from "@aiw/core";
import { DEFAULT_FULL_RESULT_BYTES } from "./bound/full-results.ts";
import { DEFAULT_RESULT_CHARACTERS, type ResultBounds } from "./bound/truncate-output.ts";
import type { RetryRules } from "./limit/backoff.ts";
import type { SlotLimits } from "./limit/slots.ts";
import { MAX_DELAY_MS } from "./limit/timeout.ts";
import type { ToolLimitTables } from "./limit/tool-limits.ts";

/** Bounds of every call; a caller can only lower them. */
export interface ExecutorLimits extends Omit<LimitsConfig, "loadTimeoutMs"> {}

/** Limits with every value decided, but for those that hold only where somebody names them. */
export interface ResolvedLimits extends SlotLimits, ToolLimitTables {
  readonly timeoutMs?: number | undefined;
  readonly preparationMs: number;
  readonly graceMs: number;
  readonly extensionMs: number;
  readonly retry: RetryRules;
  /** What a model is given of a result. */
  readonly result: ResultBounds;
  readonly fullResultBytes: number;
  readonly depth: number;
  readonly nestedCalls: number;
}

/** The smallest and largest value of a limit; a timer keeps no longer delay. */
type Range = readonly [least: number, most: number];

const COUNT: Range = [1, Number.MAX_SAFE_INTEGER];
const SIZE: Range = [0, Number.MAX_SAFE_INTEGER];
const DELAY: Range = [1, MAX_DELAY_MS];
const PATIENCE: Range = [0, MAX_DELAY_MS];

const RANGES: { readonly [limit: string]: Range } = {
  timeoutMs: DELAY,
  preparationMs: DELAY,
  graceMs: PATIENCE,
  extensionMs: DELAY,
  concurrency: COUNT,
  queue: SIZE,
  queueMs: DELAY,
  unsettledMs: PATIENCE,
  resultCharacters: COUNT,
  resultTokens: COUNT,
  fullResultBytes: SIZE,
  depth: SIZE,
  nestedCalls: SIZE,
  // Discovery's, which a configuration may bring along.
  loadTimeoutMs: DELAY,
};
const TABLES: readonly string[] = ["tools", "categories", "retry"];
const TOOL_RANGES: { readonly [limit: string]: Range } = { timeoutMs: DELAY, concurrency: COUNT };
const RETRY_RANGES: { readonly [limit: string]: Range } = { attempts: COUNT, baseMs: DELAY, maxMs: DELAY };

const DEFAULTS = {
  tools: {},
  categories: {},
  concurrency: 16,
  queue: 1000,
  queueMs: 60_000,
  unsettledMs: 30_000,
  preparationMs: 30_000,
  graceMs: DEFAULT_GRACE_MS,
  extensionMs: 5000,
  resultCharacters: DEFAULT_RESULT_CHARACTERS,
  fullResultBytes: DEFAULT_FULL_RESULT_BYTES,
  depth: 10,
  nestedCalls: 1000,
} as const;
const RETRY_DEFAULTS: RetryRules = { attempts: 3, baseMs: 500, maxMs: 30_000 };

/**
 * Fills in what a host left out.
 * @throws AiwError `config_invalid` for what is no limit: it must not become another one.
 */
export function resolveLimits(limits: ExecutorLimits = {}): ResolvedLimits {
  assertLimits(limits, RANGES, { path: "limits", others: TABLES });
  const { retry, resultCharacters, resultTokens, ...others } = { ...DEFAULTS, ...named(limits) };
  assertLimits(retry ?? {}, RETRY_RANGES, { path: "limits.retry" });
  for (const table of ["tools", "categories"] as const)
    for (const [name, one] of Object.entries<unknown>(others[table]))
      assertLimits(one, TOOL_RANGES, { path: `limits.${table}.${name}` });
  return {
    ...others,
    retry: { ...RETRY_DEFAULTS, ...named(retry ?? {}) },
    result: { characters: resultCharacters, tokens: resultTokens },
  };
}

/** What is named and not given is not said. */
function named<Limits extends object>(limits: Limits): { [Name in keyof Limits]: Exclude<Limits[Name], undefined> } {
  const said = Object.entries(limits).filter(([, value]) => value !== undefined);
  return Object.fromEntries(said) as { [Name in keyof Limits]: Exclude<Limits[Name], undefined> };
}

/** A misspelt limit would silently not hold. */
function assertLimits(
  limits: unknown,
  ranges: { readonly [limit: string]: Range },
  { path, others = [] }: { readonly path: string; readonly others?: readonly string[] },
): void {
  if (typeof limits !== "object" || limits === null)
    throw new AiwError("config_invalid", `${path} must be an object.`, { fix: `Correct ${path}, or leave it out.` });
  for (const [name, value] of Object.entries(limits) as [string, unknown][]) {
    if (value === undefined || others.includes(name)) continue;
    const range = Object.hasOwn(ranges, name) ? ranges[name] : undefined;
    if (range === undefined) throw unknownLimit(`${path}.${name}`, name, [...Object.keys(ranges), ...others]);
    assertLimit(`${path}.${name}`, value, range);
  }
}

function unknownLimit(path: string, name: string, known: readonly string[]): AiwError {
  const [nearest] = nearestNames(name, [...known], 1);
  return new AiwError("config_invalid", `${path} is no limit.`, {
    fix: nearest === undefined ? `Limits: ${known.join(", ")}.` : `Did you mean ${nearest}?`,
  });
}

function assertLimit(path: string, value: unknown, [least, most]: Range): void {
  if (typeof value === "number" && value >= least && value <= most) return;
  throw new AiwError("config_invalid", `${path} must be a number from ${least} to ${most}.`, {
    fix: `Correct ${path}, or leave it out for the default.`,
  });
}
