import { describe, expect, it, vi } from "vitest";
import { sessionKey } from "../define/session-key.ts";
import { SessionStore, type SessionValueContext } from "./session-store.ts";

const context: SessionValueContext = {
  options: {},
  workspace: { cwd: "/", roots: [] },
  log: { debug() {}, info() {}, warn() {}, error() {} },
};

describe("SessionStore", () => {
  it("creates a value once, for concurrent callers too", async () => {
    const store = new SessionStore();
    let created = 0;
    const key = sessionKey("test/counter", { create: async () => ({ number: (created += 1) }) });
    const [a, b] = await Promise.all([store.get(key, context), store.get(key, context)]);
    expect(a).toBe(b);
    expect(created).toBe(1);
  });

  it("tries a failed creation again", async () => {
    const store = new SessionStore();
    let tries = 0;
    const key = sessionKey("test/flaky", {
      create() {
        tries += 1;
        if (tries === 1) throw new Error("not yet");
        return tries;
      },
    });
    await expect(store.get(key, context)).rejects.toThrow("not yet");
    await expect(store.get(key, context)).resolves.toBe(2);
  });

  it("disposes newest first, children before their parent, and all of them when one throws", async () => {
    const store = new SessionStore("parent");
    const ended: string[] = [];
    const named = (name: string) =>
      sessionKey(name, {
        create: () => name,
        dispose: (value) => {
          ended.push(value);
          if (value === "b") throw new Error("b will not close");
        },
      });
    const child = store.child("child");
    await store.get(named("a"), context);
    await store.get(named("b"), context);
    await child.get(named("c"), context);
    await expect(store[Symbol.asyncDispose]()).rejects.toThrow("could not be closed");
    expect(ended).toEqual(["c", "b", "a"]);
    expect(child.signal.aborted).toBe(true);
  });

  it("disposes a value that was still being created", async () => {
    const store = new SessionStore();
    const gate = Promise.withResolvers<string>();
    const disposed: string[] = [];
    const key = sessionKey("test/slow", { create: () => gate.promise, dispose: (value) => void disposed.push(value) });
    const got = store.get(key, context);
    const ending = store[Symbol.asyncDispose]();
    gate.resolve("late");
    await Promise.all([got, ending]);
    expect(disposed).toEqual(["late"]);
  });

  it("ends although a value never closes or never came to be, closing the others", async () => {
    vi.useFakeTimers();
    try {
      const store = new SessionStore();
      const never = (): Promise<void> => new Promise(() => undefined);
      const closed: string[] = [];
      await store.get(sessionKey("test/good", { create: () => 1, dispose: () => void closed.push("good") }), context);
      await store.get(sessionKey("test/hangs", { create: () => 1, dispose: never }), context);
      void store.get(sessionKey("test/unborn", { create: never }), context);
      const ending = expect(store[Symbol.asyncDispose]()).rejects.toMatchObject({
        errors: [
          { message: expect.stringContaining("test/unborn") },
          { message: expect.stringContaining("test/hangs") },
        ],
      });
      await vi.advanceTimersByTimeAsync(60_000);
      await ending;
      expect(closed).toEqual(["good"]);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it("refuses use after its end", async () => {
    const store = new SessionStore();
    await store[Symbol.asyncDispose]();
    await expect(store.get(sessionKey("test/a", { create: () => 1 }), context)).rejects.toMatchObject({
      code: "session_closed",
    });
    expect(() => store.child()).toThrow(expect.objectContaining({ code: "session_closed" }));
  });

  it("keeps nothing of a child that ended by itself", async () => {
    const store = new SessionStore();
    let disposals = 0;
    const child = store.child();
    await child.get(sessionKey("test/a", { create: () => 1, dispose: () => void (disposals += 1) }), context);
    await child[Symbol.asyncDispose]();
    await store[Symbol.asyncDispose]();
    expect(disposals).toBe(1);
  });

  it("tells of its end once, at once to those who come later, and not to those who left", async () => {
    const store = new SessionStore();
    const told: string[] = [];
    store.onEnd(({ code }) => told.push(`first ${code}`));
    store.onEnd(() => told.push("left"))();
    await store[Symbol.asyncDispose]();
    await store[Symbol.asyncDispose]();
    store.onEnd(({ code }) => told.push(`late ${code}`));
    expect(told).toEqual(["first cancelled", "late cancelled"]);
    expect(store.signal.aborted).toBe(true);
  });

  it("closes every value and tells everyone of its end, also where one of them throws", async () => {
    const store = new SessionStore();
    const told: string[] = [];
    await store.get(sessionKey("test/a", { create: () => 1, dispose: () => void told.push("closed") }), context);
    const fault = new Error("not now");
    store.onEnd(() => {
      throw fault;
    });
    store.onEnd(() => told.push("second"));
    await expect(store[Symbol.asyncDispose]()).rejects.toMatchObject({ errors: [fault] });
    expect(told).toEqual(["second", "closed"]);
  });
});
