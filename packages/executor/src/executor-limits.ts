import { AiwError, DEFAULT_GRACE_MS } from "@aiw/core";
import { DEFAULT_FULL_RESULT_BYTES } from "./bound/full-results.ts";
import { DEFAULT_RESULT_CHARACTERS } from "./bound/truncate-output.ts";
import { MAX_DELAY_MS } from "./limit/timeout.ts";

/** Bounds of every call; a caller can only lower them. */
export interface ExecutorLimits {
  /** Milliseconds a call may work when its tool names no limit; 60,000 unless named. */
  readonly timeoutMs?: number;
  /** Milliseconds for loading, validating and assessing; 30,000 unless named. */
  readonly preparationMs?: number;
  /** Milliseconds an aborted tool has to stop before its result says that it may still run; 2,000 unless named. */
  readonly graceMs?: number;
  /** Characters of a result a model is given; 30,000 unless named. */
  readonly resultCharacters?: number;
  /** Bytes of whole results kept for reading back; 64 MiB unless named. */
  readonly fullResultBytes?: number;
  /** Calls within calls; 10 unless named. */
  readonly depth?: number;
}

/** Limits with every value decided, but for the time a tool may name itself. */
export type ResolvedLimits = Required<Omit<ExecutorLimits, "timeoutMs">> & Pick<ExecutorLimits, "timeoutMs">;

/** The smallest and largest value of each limit; a timer keeps no longer delay. */
const RANGES: { readonly [Limit in keyof Required<ExecutorLimits>]: readonly [least: number, most: number] } = {
  timeoutMs: [1, MAX_DELAY_MS],
  preparationMs: [1, MAX_DELAY_MS],
  graceMs: [0, MAX_DELAY_MS],
  resultCharacters: [1, Number.MAX_SAFE_INTEGER],
  fullResultBytes: [0, Number.MAX_SAFE_INTEGER],
  depth: [0, Number.MAX_SAFE_INTEGER],
};

/**
 * Fills in what a host left out.
 * @throws AiwError `config_invalid` for what is no limit: it must not become another one.
 */
export function resolveLimits(limits: ExecutorLimits = {}): ResolvedLimits {
  for (const [name, [least, most]] of Object.entries(RANGES)) assertLimit(limits, name, { least, most });
  return {
    ...(limits.timeoutMs !== undefined && { timeoutMs: limits.timeoutMs }),
    preparationMs: limits.preparationMs ?? 30_000,
    graceMs: limits.graceMs ?? DEFAULT_GRACE_MS,
    resultCharacters: limits.resultCharacters ?? DEFAULT_RESULT_CHARACTERS,
    fullResultBytes: limits.fullResultBytes ?? DEFAULT_FULL_RESULT_BYTES,
    depth: limits.depth ?? 10,
  };
}

function assertLimit(limits: ExecutorLimits, name: string, { least, most }: { least: number; most: number }): void {
  const value: unknown = (limits as { readonly [name: string]: unknown })[name];
  if (value === undefined || (typeof value === "number" && value >= least && value <= most)) return;
  throw new AiwError("config_invalid", `limits.${name} must be a number from ${least} to ${most}.`, {
    fix: `Correct limits.${name}, or leave it out for the default.`,
  });
}
