import type { FoundPackage } from "@aiw/core";
import type { HostCheck } from "./inspect-host.ts";

/** Milliseconds of reading one package that nobody minds; the first with options brings the validator in. */
const FLOOR_MS = 500;

/** Times the usual package of the same reading: a busy machine is slow with all of them. */
const MULTIPLE = 50;

/** Packages without which nothing is usual. */
const LEAST_PACKAGES = 3;

/** Names packages that take far longer to read than the project's others. */
export function checkSlow(found: readonly Pick<FoundPackage, "id" | "ms">[]): HostCheck[] {
  if (found.length < LEAST_PACKAGES) return [];
  const times = found.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const usual = times[Math.floor(times.length / 2)] ?? 0;
  return found
    .filter(({ ms }) => ms >= FLOOR_MS && ms >= usual * MULTIPLE)
    .map(({ id, ms }) => ({
      name: "slow",
      level: "warning",
      message: `${id} took ${ms.toFixed(0)} ms to read, others about ${usual.toFixed(1)} ms.`,
      fix: "Look at the size of its manifest, and at the disk.",
    }));
}
