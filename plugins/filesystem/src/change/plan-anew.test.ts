import { setImmediate as nextTurn } from "node:timers/promises";
import { ToolError } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { planAnew, toOvertaken } from "./plan-anew.ts";

const never = new AbortController().signal;
const place = (signal: AbortSignal = never) => ({ workspace: { cwd: "/w", roots: ["/w"] }, signal });
const conflict = (details?: Record<string, unknown>) => new ToolError("conflict", "changed", details && { details });

describe("planAnew", () => {
  it("lets those of one file go one after the other as they came, and those of others at once", async () => {
    const gates = [0, 1, 2].map(() => Promise.withResolvers<void>());
    const begun: string[] = [];
    const start = (name: string, paths: string[], gate?: Promise<void>) =>
      planAnew({ paths, isProven: true }, place(), async (isLate) => {
        begun.push(`${name}${isLate ? " late" : ""}`);
        await gate;
      });
    const calls = [start("first", ["a"], gates[0]?.promise), start("both", ["b", "./a"], gates[1]?.promise)];
    calls.push(start("fresh", ["a"], gates[2]?.promise), start("behind", ["b"]));
    await start("other", ["c"]);
    expect(begun).toEqual(["first", "other"]);
    gates[0]?.resolve();
    await calls[0];
    await nextTurn();
    expect(begun.slice(2)).toEqual(["both late"]);
    gates[1]?.resolve();
    await calls[1];
    await nextTurn();
    expect(begun.slice(3).toSorted()).toEqual(["behind late", "fresh late"]);
    gates[2]?.resolve();
    await Promise.all(calls);
    await start("again", ["a", "b"]);
    expect(begun.at(-1)).toBe("again");
  });

  it("ends a call that waits as soon as it is cancelled, and lets nobody past the one at work", async () => {
    const gate = Promise.withResolvers<void>();
    const controller = new AbortController();
    const order: string[] = [];
    const claim = { paths: ["a"], isProven: true };
    const first = planAnew(claim, place(), async () => {
      await gate.promise;
      order.push("first");
    });
    const second = planAnew(claim, place(controller.signal), async () => order.push("cancelled"));
    const third = planAnew(claim, place(), async () => order.push("third"));
    controller.abort(new Error("stop"));
    await expect(second).rejects.toThrow("stop");
    await nextTurn();
    expect(order).toEqual([]);
    gate.resolve();
    await Promise.all([first, third]);
    expect(order).toEqual(["first", "third"]);
  });

  it("plans again what was overtaken, at most 20 times, and never what proves nothing or was not put back", async () => {
    const count = async (isProven: boolean, fail: () => never): Promise<number> => {
      let attempts = 0;
      const failing = planAnew({ paths: ["a"], isProven }, place(), async () => {
        attempts += 1;
        return fail();
      });
      await expect(failing).rejects.toMatchObject({ code: "conflict" });
      return attempts;
    };
    expect(await count(true, () => toOvertaken(conflict()))).toBe(20);
    expect(await count(false, () => toOvertaken(conflict()))).toBe(1);
    expect(await count(true, () => toOvertaken(conflict({ not_restored: ["b"] })))).toBe(1);
    expect(
      await count(true, () => {
        throw conflict();
      }),
    ).toBe(1);
  });
});
