import type { LockedPackage } from "@aiw/core/node";
import { toShown } from "../../output/to-shown.ts";
import { findBreaking } from "./find-breaking.ts";
import { findWidened } from "./find-widened.ts";

/** Says before everything else what of a change matters most: tools that may do more, and calls that break. */
export function listChangeWarnings(from: LockedPackage | undefined, to: LockedPackage | undefined): string[] {
  return [
    ...findWidened(from, to).map((text) => `may do more than before: ${toShown(text)}`),
    ...findBreaking(from, to).map((text) => `breaks calls: ${toShown(text)}`),
  ];
}
