import type { FoundPackage } from "@aiw/core";
import type { HostCheck } from "./inspect-host.ts";

/** Milliseconds of reading one package beyond which a person may want to know. */
const SLOW_MS = 50;

/** Names packages that take long to read. */
export function checkSlow(found: readonly Pick<FoundPackage, "id" | "ms">[]): HostCheck[] {
  return found
    .filter(({ ms }) => ms >= SLOW_MS)
    .map(({ id, ms }) => ({
      name: "slow",
      level: "warning",
      message: `${id} took ${ms.toFixed(0)} ms to read.`,
      fix: "Look at the size of its manifest, and at the disk.",
    }));
}
