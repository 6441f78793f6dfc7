import { describe, expect, it } from "vitest";
import { limitAtOnce } from "./limit-at-once.ts";

const { signal } = new AbortController();

describe("limitAtOnce", () => {
  it("lets so many work and the others wait in order", async () => {
    const take = limitAtOnce(2);
    const began: number[] = [];
    const first = await take(signal);
    const second = await take(signal);
    const others = [3, 4, 5].map(async (number) => {
      const place = await take(signal);
      began.push(number);
      return place;
    });
    await Promise.resolve();
    expect(began).toEqual([]);
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    second[Symbol.dispose]();
    (await others[0])?.[Symbol.dispose]();
    await Promise.all(others);
    expect(began).toEqual([3, 4, 5]);
  });

  it("stops waiting with the signal and keeps the place for others", async () => {
    const take = limitAtOnce(1);
    const first = await take(signal);
    const controller = new AbortController();
    const given = take(controller.signal);
    const next = take(signal);
    controller.abort(new TypeError("enough"));
    first[Symbol.dispose]();
    await expect(given).rejects.toThrow("enough");
    (await next)[Symbol.dispose]();
    await expect(take(controller.signal)).rejects.toThrow("enough");
    (await take(signal))[Symbol.dispose]();
  });
});
