import type { TrailFilter } from "@aiw/extensions/audit";
import type { Invocation } from "../../command.ts";
import { UsageError } from "../../usage-error.ts";

const STATUSES = ["ok", "error", "denied", "cancelled", "timed_out", "unknown_outcome"];

/** Milliseconds of the units of an age. */
const UNITS: ReadonlyMap<string, number> = new Map([
  ["s", 1000],
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
  ["w", 604_800_000],
]);

const MAX_LIMIT = 10_000;

/** Reads which calls are wanted. @throws UsageError for what cannot be meant. */
export function readFilter(flags: Invocation["flags"], now: number): TrailFilter {
  const text = (name: string): string | undefined => {
    const value = flags[name];
    return typeof value === "string" ? value : undefined;
  };
  const [tool, principal, session, code, callId] = ["tool", "principal", "session", "code", "call"].map(text);
  const status = text("status");
  if (status !== undefined && !STATUSES.includes(status))
    throw new UsageError(
      `--status is one of ${STATUSES.join(", ")}, not ${JSON.stringify(status)}. Codes of failures: --code CODE`,
    );
  const [since, until] = [readTime("since", text("since"), now), readTime("until", text("until"), now)];
  return {
    ...(tool !== undefined && { tool }),
    ...(principal !== undefined && { principal }),
    ...(session !== undefined && { session }),
    ...(status !== undefined && { status }),
    ...(code !== undefined && { code }),
    ...(callId !== undefined && { callId }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  };
}

/** Reads how many records are wanted. @throws UsageError for no number in its range. */
export function readLimit(flag: Invocation["flags"][string]): number {
  if (typeof flag !== "string") return 50;
  if (/^\d{1,5}$/.test(flag) && Number(flag) >= 1 && Number(flag) <= MAX_LIMIT) return Number(flag);
  throw new UsageError(`--limit is a whole number from 1 to ${MAX_LIMIT}, not ${JSON.stringify(flag)}.`);
}

function readTime(name: string, text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const [, count = "", unit = ""] = /^(\d{1,9})([smhdw])$/.exec(text) ?? [];
  const length = UNITS.get(unit);
  if (length !== undefined) return now - Number(count) * length;
  const time = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new UsageError(`--${name} is a time like 2026-11-20T15:00Z or an age like 2h, not ${JSON.stringify(text)}.`);
}
