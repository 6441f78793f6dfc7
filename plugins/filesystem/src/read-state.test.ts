import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "./__fixtures__/runs.ts";
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
      { numRuns: runs(100) },
    );
  });

  it("forgets the files seen longest ago", () => {
    const state = new ReadState(2);
    for (const path of ["/a", "/b", "/a", "/c"]) state.mark(path, { etag: "1", totalLines: 1, ranges: [[1, 1]] });
    expect(["/a", "/b", "/c"].map((path) => state.covers(path, "1"))).toEqual([true, false, true]);
  });
});

describe("ReadState, moving", () => {
  const shift = fc.record({ line: fc.integer({ min: 1, max: 25 }), delta: fc.integer({ min: -6, max: 6 }) });
  const range = fc
    .tuple(fc.integer({ min: 1, max: 20 }), fc.nat(6))
    .map(([from, more]): [number, number] => [from, from + more]);

  it("keeps exactly the unchanged seen lines", () => {
    fc.assert(
      fc.property(fc.array(range), fc.array(shift, { maxLength: 4 }), (ranges, shifts) => {
        const state = new ReadState();
        state.mark("/a", { etag: "1", totalLines: 60, ranges });
        // Each line carries whether it was seen; lines that come were not.
        const slow = Array.from({ length: 60 }, (_, index) =>
          ranges.some(([first, last]) => first <= index + 1 && index + 1 <= last),
        );
        for (const { line, delta } of shifts) {
          state.shift("/a", line, delta);
          slow.splice(line - 1, Math.max(0, -delta), ...Array.from({ length: Math.max(0, delta) }, () => false));
        }
        expect(slow.map((_seen, index) => state.covers("/a", "1", { from: index + 1, to: index + 1 }))).toEqual(slow);
        expect(state.seenAt("/a", "1")?.totalLines).toBe(slow.length);
      }),
      { numRuns: runs(300) },
    );
  });

  it("follows several changes of one edit, whose new lines are known", () => {
    const changes = fc.array(fc.record({ gap: fc.nat(4), removed: fc.nat(4), added: fc.nat(4) }), { maxLength: 5 });
    fc.assert(
      fc.property(fc.array(range), changes, (ranges, list) => {
        const state = new ReadState();
        state.mark("/a", { etag: "1", totalLines: 60, ranges });
        const slow: boolean[] = [];
        const seen = (line: number): boolean => ranges.some(([first, last]) => first <= line && line <= last);
        let line = 1;
        const shifts = list.map(({ gap, removed, added }) => {
          for (let step = 0; step < gap; step += 1, line += 1) slow.push(seen(line));
          slow.push(...Array.from({ length: added }, () => true));
          const one = { line, removed, added };
          line += removed;
          return one;
        });
        for (; line <= 60; line += 1) slow.push(seen(line));
        state.replaceLines("/a", shifts, "2");
        expect(slow.map((_seen, index) => state.covers("/a", "2", { from: index + 1, to: index + 1 }))).toEqual(slow);
      }),
      { numRuns: runs(300) },
    );
  });

  it("follows a file, and a folder with what is in it, to its new name", () => {
    const state = new ReadState();
    const seen = { etag: "1", totalLines: 1, ranges: [[1, 1]] as const };
    for (const path of ["/d/a", "/d/e/b", "/dd", "/new/a"]) state.mark(path, seen);
    state.rename("/d", "/new");
    expect(["/d/a", "/new/a", "/new/e/b", "/dd"].map((path) => state.covers(path, "1"))).toEqual([
      false,
      true,
      true,
      true,
    ]);
    state.forget("/new");
    expect(["/new/a", "/new/e/b", "/dd"].map((path) => state.covers(path, "1"))).toEqual([false, false, true]);
  });

  it("keeps apart what agents have seen, and moves it for all of them", () => {
    const state = new ReadState();
    const child = state.inScope("child");
    child.mark("/a", { etag: "1", totalLines: 1, ranges: [[1, 1]] });
    expect([state.covers("/a", "1"), child.covers("/a", "1")]).toEqual([false, true]);
    state.rename("/a", "/b");
    expect(child.covers("/b", "1")).toBe(true);
  });

  it("is written down and taken up again", () => {
    const state = new ReadState();
    state.mark("/a", {
      etag: "1",
      totalLines: 9,
      ranges: [
        [1, 3],
        [5, 9],
      ],
    });
    state.inScope("child").mark("/b", { etag: "2", ranges: [] });
    const again = ReadState.from(JSON.parse(JSON.stringify(state)));
    expect(again.toJSON()).toEqual(state.toJSON());
    expect(again.inScope("child").stale("/b", "3")).toBe(true);
    for (const nonsense of [undefined, 1, {}, { files: [1, { path: 2 }, { path: "/a", etag: "1", ranges: [["x"]] }] }])
      expect(ReadState.from(nonsense).covers("/a", "1")).toBe(false);
  });
});
