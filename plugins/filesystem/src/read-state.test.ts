import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ReadState } from "./read-state.ts";

describe("ReadState", () => {
  it("covers what was shown of the content it was shown of", () => {
    const state = new ReadState();
    state.mark("/a", { etag: "1", totalLines: 10, ranges: [[1, 5]] });
    expect(state.covers("/a", "1")).toBe(false);
    expect(state.covers("/a", "1", { from: 2, to: 5 })).toBe(true);
    expect(state.covers("/a", "2", { from: 2, to: 5 })).toBe(false);
    expect(state.firstUnseen("/a", "1")).toBe(6);
    state.mark("/a", { etag: "1", ranges: [[6, 10]] });
    expect(state.covers("/a", "1")).toBe(true);
    expect(state.firstUnseen("/a", "1")).toBeUndefined();
  });

  it("forgets lines of other content", () => {
    const state = new ReadState();
    state.mark("/a", { etag: "1", totalLines: 2, ranges: [[1, 2]] });
    state.mark("/a", { etag: "2", totalLines: 2, ranges: [[1, 1]] });
    expect(state.stale("/a", "1")).toBe(true);
    expect(state.covers("/a", "2")).toBe(false);
    state.forget("/a");
    expect(state.stale("/a", "1")).toBe(false);
  });

  it("never covers a whole whose lines were not counted", () => {
    const state = new ReadState();
    state.mark("/a", { etag: "1", ranges: [[1, 1000]] });
    expect(state.covers("/a", "1")).toBe(false);
  });

  it("covers an empty file once it was read", () => {
    const state = new ReadState();
    expect(state.covers("/a", "1")).toBe(false);
    state.mark("/a", { etag: "1", totalLines: 0, ranges: [] });
    expect(state.covers("/a", "1")).toBe(true);
  });

  it("covers exactly the lines that were marked", () => {
    const range = fc
      .tuple(fc.integer({ min: 1, max: 20 }), fc.nat(6))
      .map(([from, more]): [number, number] => [from, from + more]);
    fc.assert(
      fc.property(fc.array(range), range, (ranges, [from, to]) => {
        const state = new ReadState();
        const seen = new Set<number>();
        for (const [first, last] of ranges) {
          state.mark("/a", { etag: "1", ranges: [[first, last]] });
          for (let line = first; line <= last; line += 1) seen.add(line);
        }
        const wanted = Array.from({ length: to - from + 1 }, (_, index) => from + index);
        expect(state.covers("/a", "1", { from, to })).toBe(ranges.length > 0 && wanted.every((line) => seen.has(line)));
      }),
    );
  });

  it("forgets the files seen longest ago", () => {
    const state = new ReadState(2);
    for (const path of ["/a", "/b", "/a", "/c"]) state.mark(path, { etag: "1", totalLines: 1, ranges: [[1, 1]] });
    expect(["/a", "/b", "/c"].map((path) => state.covers(path, "1"))).toEqual([true, false, true]);
  });
});
