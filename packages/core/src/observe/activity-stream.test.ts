import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ActivityStream } from "./activity-stream.ts";
import { ACTIVITY_EVENT_TYPES, ActivityEventType, type ActivityEvent } from "./events.ts";

function chunk(text: string): ActivityEvent {
  return {
    type: "tool_output_chunk",
    callId: "1",
    timestamp: 0,
    data: { toolName: "t", toolId: "t", chunk: text, channel: "stdout" },
  };
}

function start(callId: string): ActivityEvent {
  return { type: "tool_call_start", callId, timestamp: 0, data: { toolName: "t", toolId: "t", arguments: {} } };
}

describe("ActivityEventType", () => {
  it("has a constant for every type of event", () => {
    expect(Object.values(ActivityEventType).toSorted()).toEqual([...ACTIVITY_EVENT_TYPES].toSorted());
  });
});

describe("ActivityStream", () => {
  it("delivers by type and to everyone, until unsubscribed", () => {
    const stream = new ActivityStream();
    const seen: string[] = [];
    const end = stream.subscribe(ActivityEventType.TOOL_OUTPUT_CHUNK, (event) => seen.push(event.data.chunk));
    stream.subscribe("*", (event) => seen.push(event.type));
    stream.emit(chunk("a"));
    end();
    stream.emit(chunk("b"));
    expect(seen).toEqual(["a", "tool_output_chunk", "tool_output_chunk"]);
  });

  it("ends each of two subscriptions of one listener alone", () => {
    const stream = new ActivityStream();
    let calls = 0;
    const listener = (): void => void (calls += 1);
    const end = stream.subscribe("*", listener);
    stream.subscribe("*", listener);
    end();
    end();
    stream.emit(chunk("a"));
    expect(calls).toBe(1);
  });

  it("goes on when a listener throws, and says so", () => {
    const faults: unknown[] = [];
    const stream = new ActivityStream({ onListenerError: (error) => faults.push(error) });
    const seen: string[] = [];
    stream.subscribe("*", () => {
      throw new Error("listener");
    });
    stream.subscribe("*", ({ type }) => seen.push(type));
    stream.emit(chunk("a"));
    expect(seen).toEqual(["tool_output_chunk"]);
    expect(faults).toEqual([new Error("listener")]);
  });

  it("goes on when a listener rejects or the one who is told of faults throws", async () => {
    const faults: unknown[] = [];
    const stream = new ActivityStream({
      onListenerError: (error) => {
        faults.push(error);
        throw new Error("teller");
      },
    });
    // Authors without this lint rule pass async functions, which the types admit.
    stream.subscribe("*", (): unknown => Promise.reject(new Error("async listener")));
    stream.subscribe("*", () => {
      throw new Error("listener");
    });
    const unhandled: unknown[] = [];
    const onUnhandled = (error: unknown): void => void unhandled.push(error);
    process.on("unhandledRejection", onUnhandled);
    stream.emit(chunk("a"));
    await new Promise((resolve) => setTimeout(resolve, 5));
    process.off("unhandledRejection", onUnhandled);
    expect(unhandled).toEqual([]);
    expect(faults).toEqual([new Error("listener"), new Error("async listener")]);
  });

  it("goes on when a listener of another realm rejects", async () => {
    const faults: unknown[] = [];
    const stream = new ActivityStream({ onListenerError: (error) => void faults.push(String(error)) });
    stream.subscribe("*", (): unknown => runInNewContext('Promise.reject(new Error("foreign"))') as unknown);
    stream.emit(chunk("a"));
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(faults).toEqual(["Error: foreign"]);
  });

  it("tells everyone of one event before the next, also of events that listeners cause", () => {
    const stream = new ActivityStream();
    const seen: string[] = [];
    stream.subscribe("tool_call_start", () => stream.emit(chunk("caused")));
    stream.subscribe("*", ({ type }) => seen.push(type));
    stream.emit(start("1"));
    expect(seen).toEqual(["tool_call_start", "tool_output_chunk"]);
  });

  it("tells listeners that come or go meanwhile from the next event on", () => {
    const stream = new ActivityStream();
    let calls = 0;
    let end = (): void => undefined;
    const listen = (): void => {
      calls += 1;
      end();
      if (calls < 1000) stream.subscribe("*", listen);
    };
    stream.subscribe("*", listen);
    end = stream.subscribe("*", () => expect.unreachable());
    stream.emit(chunk("a"));
    expect(calls).toBe(1);
  });

  it("ends an iteration that begins after the stream was closed", async () => {
    const stream = new ActivityStream();
    stream.close();
    for await (const event of stream) expect.unreachable(event.type);
    expect(await stream.events().next()).toEqual({ done: true, value: undefined });
  });

  it("is iterable from now on, and ends with the loop or the stream", async () => {
    const stream = new ActivityStream();
    stream.emit(chunk("before"));
    const read = (async () => {
      const texts: string[] = [];
      for await (const event of stream) if (event.type === "tool_output_chunk") texts.push(event.data.chunk);
      return texts;
    })();
    stream.emit(chunk("a"));
    stream.emit(chunk("b"));
    await Promise.resolve();
    stream.close();
    expect(await read).toEqual(["a", "b"]);
  });

  it("never holds more than its capacity, counts what it drops, and keeps starts before chatter", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.boolean(), { maxLength: 60 }),
        fc.integer({ min: 1, max: 20 }),
        async (isStart, capacity) => {
          const stream = new ActivityStream();
          const events = stream.events({ capacity });
          isStart.forEach((yes, index) => stream.emit(yes ? start(String(index)) : chunk(String(index))));
          stream.close();
          const kept: ActivityEvent[] = [];
          for await (const event of events) kept.push(event);
          const starts = isStart.filter(Boolean).length;
          expect(kept.length).toBe(Math.min(capacity, isStart.length));
          expect(events.dropped).toBe(isStart.length - kept.length);
          expect(stream.dropped).toBe(events.dropped);
          expect(kept.filter(({ type }) => type === "tool_call_start").length).toBeGreaterThanOrEqual(
            Math.min(starts, capacity),
          );
        },
      ),
    );
  });

  it("knows whether somebody would be told", async () => {
    const stream = new ActivityStream();
    expect(stream.isObserved("error")).toBe(false);
    const end = stream.subscribe("error", () => {});
    expect([stream.isObserved("error"), stream.isObserved("tool_call_start")]).toEqual([true, false]);
    end();
    expect(stream.isObserved("error")).toBe(false);
    stream.subscribe("*", () => {})();
    expect(stream.isObserved("error")).toBe(false);
    const events = stream.events();
    expect(stream.isObserved("tool_progress")).toBe(true);
    await events.return?.();
    expect(stream.isObserved("tool_progress")).toBe(false);
  });

  it("loses what the listener to faults rejects with", async () => {
    const rejections: unknown[] = [];
    const onRejection = (error: unknown): void => void rejections.push(error);
    process.prependListener("unhandledRejection", onRejection);
    const stream = new ActivityStream({
      onListenerError: (async () => {
        throw new Error("told in vain");
      }) as () => void,
    });
    stream.subscribe("*", () => {
      throw new Error("first");
    });
    stream.emit(start("1"));
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", onRejection);
    expect(rejections).toEqual([]);
  });
});
