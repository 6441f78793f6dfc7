import { describe, expect, it } from "vitest";
import { Slots } from "./slots.ts";

describe("Slots", () => {
  it("runs so many at the same time, the others in order, and goes on after a failure", async () => {
    const slots = new Slots(2);
    const gates = [0, 1, 2, 3].map(() => Promise.withResolvers<number>());
    const begun: number[] = [];
    const all = gates.map(({ promise }, index) =>
      slots.run(() => {
        begun.push(index);
        return promise;
      }),
    );
    const settled = Promise.allSettled(all);
    await Promise.resolve();
    expect(begun).toEqual([0, 1]);
    gates[1]?.reject(new Error("no"));
    await expect.poll(() => begun).toEqual([0, 1, 2]);
    gates[0]?.resolve(0);
    await expect.poll(() => begun).toEqual([0, 1, 2, 3]);
    gates[2]?.resolve(2);
    gates[3]?.resolve(3);
    expect((await settled).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
    expect(await slots.run(async () => "again")).toBe("again");
  });
});
