import type { LockedPackage } from "@aiw/core/node";
import { describe, expect, it } from "vitest";
import { findWidened } from "./find-widened.ts";

const READS = { readOnly: true, destructive: false, idempotent: true, openWorld: false };

function locked(metadata: object): LockedPackage {
  const spec = { metadata: { tags: [], permissions: [], effects: READS, ...metadata } };
  return { tools: new Map([["find", { spec }]]) } as unknown as LockedPackage;
}

describe("findWidened", () => {
  it.each([
    [{ requiresApproval: true }, {}, ["find is no longer always asked for"]],
    [{}, { effects: { ...READS, openWorld: true } }, ["find is now openWorld"]],
    [{}, { permissions: ["net"] }, ["find is now with net"]],
    [{ permissions: ["net"] }, {}, []],
    [{}, { requiresApproval: true }, []],
  ])("tells %j from %j", (from, to, said) => {
    expect(findWidened(locked(from), locked(to))).toEqual(said);
  });

  it("says nothing of a tool that is new", () => {
    expect(findWidened(undefined, locked({ permissions: ["net"] }))).toEqual([]);
  });
});
