import { describe, expect, it } from "vitest";
import { sayEffects, sayEffectsInFull } from "./say-effects.ts";

const NONE = { readOnly: false, destructive: false, idempotent: false, openWorld: false };

describe("sayEffectsInFull", () => {
  it.each([
    [{ ...NONE, readOnly: true, idempotent: true }, "reads", "reads (readOnly, idempotent)"],
    [{ ...NONE, destructive: true }, "may overwrite", "may overwrite (destructive)"],
    [{ ...NONE, openWorld: true }, "adds, also outside", "adds, also outside (openWorld)"],
    [NONE, "adds", "adds (no flag)"],
  ])("says %j in the words of sayEffects, and the flags", (effects, words, full) => {
    expect([sayEffects(effects), sayEffectsInFull(effects)]).toEqual([words, full]);
  });
});
