import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ToolError } from "../errors/tool-error.ts";
import { ChangeHistory } from "./change-history.ts";
import { WorkLog } from "./work-log.ts";

const { signal } = new AbortController();

/** A world of named cells, each of which a change sets and takes back. */
function makeWorld() {
  const cells = new Map<string, number>();
  const history = new ChangeHistory();
  return {
    cells,
    history,
    set(name: string, to: number, turn: number | undefined): void {
      const before = cells.get(name);
      cells.set(name, to);
      const put = (expected: number | undefined, value: number | undefined): void => {
        if (cells.get(name) !== expected) throw new ToolError("conflict", `${name} changed since`);
        if (value === undefined) cells.delete(name);
        else cells.set(name, value);
      };
      history.add(
        { title: `${name} = ${to}`, undo: () => put(to, before), redo: () => put(before, to) },
        { callId: `${name}${to}`, turn },
      );
    },
  };
}

describe("ChangeHistory", () => {
  it("takes back one turn at a time, newest first, and makes it again in its order", async () => {
    const { cells, history, set } = makeWorld();
    set("a", 1, 1);
    set("a", 2, 1);
    set("b", 1, 2);
    expect(await history.undo({ signal })).toMatchObject({ turn: 2, changes: [{ title: "b = 1" }], left: 0 });
    expect(await history.undo({ signal })).toMatchObject({
      turn: 1,
      changes: [{ title: "a = 2", callId: "a2" }, { title: "a = 1" }],
    });
    expect(cells.size).toBe(0);
    expect(await history.undo({ signal })).toEqual({ changes: [], left: 0 });
    expect(history.list()).toMatchObject({ done: [], undone: [{ turn: 1 }, { turn: 2 }] });
    expect((await history.redo({ signal })).changes.map(({ title }) => title)).toEqual(["a = 1", "a = 2"]);
    expect((await history.redo({ signal })).turn).toBe(2);
    expect(Object.fromEntries(cells)).toEqual({ a: 2, b: 1 });
  });

  it("stops at a change that refuses, and goes on there once it agrees", async () => {
    const { cells, history, set } = makeWorld();
    set("a", 1, 1);
    set("b", 1, 1);
    cells.set("a", 9);
    expect(await history.undo({ signal })).toMatchObject({
      changes: [{ title: "b = 1" }],
      refused: { change: { title: "a = 1" }, code: "conflict", reason: "a changed since" },
      left: 1,
    });
    cells.set("a", 1);
    expect(await history.undo({ signal })).toMatchObject({ changes: [{ title: "a = 1" }], left: 0 });
  });

  it("forgets what was taken back once something new is done", async () => {
    const { cells, history, set } = makeWorld();
    set("a", 1, 1);
    await history.undo({ signal });
    set("a", 2, 2);
    expect(await history.redo({ signal })).toEqual({ changes: [], left: 0 });
    expect(cells.get("a")).toBe(2);
  });

  it("says what cannot be made again, what failed by its own fault, and what was stopped", async () => {
    const history = new ChangeHistory();
    const fault = new Error("secret");
    let fails = true;
    const undo = (): void => {
      if (fails) throw fault;
    };
    history.add({ title: "x".repeat(1000), undo }, { callId: "1" });
    const failed = await history.undo({ signal });
    expect(failed).toMatchObject({ refused: { code: "internal_error", change: { title: "x".repeat(200) } } });
    expect(JSON.stringify(failed)).not.toContain("secret");
    expect(await history.undo({ signal: AbortSignal.abort() })).toMatchObject({ refused: { code: "cancelled" } });
    fails = false;
    await history.undo({ signal });
    expect(await history.redo({ signal })).toMatchObject({ refused: { code: "failed" }, left: 1 });
  });

  it("takes no change back twice when asked twice at once", async () => {
    const { history, set } = makeWorld();
    set("a", 1, 1);
    const outcomes = await Promise.all([history.undo({ signal }), history.undo({ signal })]);
    expect(outcomes.map(({ changes }) => changes.length)).toEqual([1, 0]);
  });

  it("leaves what is recorded while it works for the next time", async () => {
    const history = new ChangeHistory();
    const add = (title: string, undo: () => void): void => {
      history.add({ title, undo }, { callId: title, turn: 1 });
    };
    add("first", () => undefined);
    add("second", () => add("late", () => undefined));
    expect((await history.undo({ signal })).changes.map(({ title }) => title)).toEqual(["second", "first"]);
    expect(history.list().done).toMatchObject([{ changes: [{ title: "late" }] }]);
  });

  it("lets the oldest changes give way, by number and by bytes, and counts them", () => {
    const history = new ChangeHistory();
    const add = (bytes?: number): void => {
      history.add({ title: "t", undo() {}, ...(bytes !== undefined && { bytes }) }, { callId: "c" });
    };
    for (let count = 0; count < 510; count += 1) add();
    expect(history.list()).toMatchObject({ forgotten: 10 });
    add(40 * 1024 * 1024);
    add(40 * 1024 * 1024);
    expect(history.list().done[0]?.changes).toHaveLength(1);
    add(60 * 1024 * 1024);
    expect(history.list()).toMatchObject({ done: [], forgotten: 513 });
    history.clear();
    expect(history.list().undone).toEqual([]);
  });

  const move = fc.oneof(
    { weight: 4, arbitrary: fc.record({ set: fc.constantFrom("a", "b", "c"), to: fc.nat(5) }) },
    { weight: 2, arbitrary: fc.constantFrom("undo" as const, "redo" as const) },
    { weight: 1, arbitrary: fc.constant("turn" as const) },
  );

  it("goes back and forth through whole turns like a list of states", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(move, { maxLength: 40 }), async (moves) => {
        const { cells, history, set } = makeWorld();
        const snapshot = (): string => JSON.stringify([...cells].toSorted());
        let turn = 1;
        // States before each turn that changed something, the one now, and those that can be made again.
        const past: { turn: number; before: string }[] = [];
        let future: { turn: number; before: string; after: string }[] = [];
        for (const step of moves) {
          if (step === "turn") turn += 1;
          else if (step === "undo") {
            const last = past.pop();
            const after = snapshot();
            await history.undo({ signal });
            if (last !== undefined) future.push({ ...last, after });
            expect(snapshot()).toBe(last?.before ?? after);
          } else if (step === "redo") {
            const next = future.pop();
            const before = snapshot();
            await history.redo({ signal });
            if (next !== undefined) past.push({ turn: next.turn, before: next.before });
            expect(snapshot()).toBe(next?.after ?? before);
          } else {
            future = [];
            if (past.at(-1)?.turn !== turn) past.push({ turn, before: snapshot() });
            set(step.set, step.to, turn);
          }
        }
      }),
    );
  });
});

describe("WorkLog", () => {
  it("knows the last call that read and wrote a file, and how many did", () => {
    const log = new WorkLog();
    log.touch({ callId: "1", turn: 1 }, "/b", "read");
    log.touch({ callId: "1", turn: 1 }, "/b", "read");
    log.touch({ callId: "2", turn: 2 }, "/b", "read");
    log.touch({ callId: "3" }, "/b", "write");
    log.touch({ callId: "3" }, "/a", "write");
    expect(log.files.list()).toEqual([
      { path: "/a", written: { callId: "3", calls: 1 } },
      { path: "/b", read: { callId: "2", turn: 2, calls: 2 }, written: { callId: "3", calls: 1 } },
    ]);
    expect(log.files.get("/a")?.read).toBeUndefined();
  });

  it("forgets the files that were used longest ago", () => {
    const log = new WorkLog();
    log.touch({ callId: "0" }, "/first", "read");
    for (let count = 0; count < 5000; count += 1) log.touch({ callId: "1" }, `/${count}`, "read");
    expect(log.files.list()).toHaveLength(5000);
    expect(log.files.get("/first")).toBeUndefined();
  });

  it("moves a change that was taken back, or made again, by other ways", async () => {
    const history = new ChangeHistory();
    const [first, second] = ["first", "second"].map((title) =>
      history.add({ title, undo() {} }, { callId: title, turn: 1 }),
    );
    first?.settle("undone");
    expect(history.list()).toMatchObject({
      done: [{ changes: [{ title: "second" }] }],
      undone: [{ changes: [{ title: "first" }] }],
    });
    expect((await history.undo({ signal })).changes.map(({ title }) => title)).toEqual(["second"]);
    second?.settle("undone");
    first?.settle("done");
    expect(history.list()).toMatchObject({
      done: [{ changes: [{ title: "first" }] }],
      undone: [{ changes: [{ title: "second" }] }],
    });
  });
});
