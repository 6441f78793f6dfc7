import { ActivityStream, type ActivityEvent } from "@aiw/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isCallPreview, PreviewBuffer } from "./preview-buffer.ts";

function chunk(text: string, callId = "c1"): ActivityEvent {
  return {
    type: "tool_output_chunk",
    callId,
    timestamp: 0,
    data: { toolName: "t", toolId: "t", chunk: text, channel: "stdout" },
  };
}

function progress(value: number): ActivityEvent {
  return {
    type: "tool_progress",
    callId: "c1",
    timestamp: 0,
    data: { toolName: "t", toolId: "t", progress: value, total: 9 },
  };
}

describe("PreviewBuffer", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it("gathers 50 ms of output and the latest progress into one preview", async () => {
    const activity = new ActivityStream();
    using previews = new PreviewBuffer(activity, "c1");
    const first = previews.next();
    activity.emit(chunk("a"));
    activity.emit(progress(1));
    await vi.advanceTimersByTimeAsync(49);
    activity.emit(chunk("b"));
    activity.emit(progress(2));
    await vi.advanceTimersByTimeAsync(1);
    expect(await first).toEqual({ aiw: "preview", chunk: "ab", progress: { progress: 2, total: 9 } });
    activity.emit(chunk("c"));
    await vi.advanceTimersByTimeAsync(50);
    expect(await previews.next()).toEqual({ aiw: "preview", chunk: "c" });
  });

  it("hears its own call alone", async () => {
    const activity = new ActivityStream();
    using previews = new PreviewBuffer(activity, "c1");
    activity.emit(chunk("other", "c2"));
    previews.end();
    expect(await previews.next()).toBeUndefined();
  });

  it("gives out what is left when the call ends, then nothing more", async () => {
    const activity = new ActivityStream();
    using previews = new PreviewBuffer(activity, "c1");
    activity.emit(chunk("rest"));
    previews.end();
    activity.emit(chunk("too late"));
    expect(await previews.next()).toEqual({ aiw: "preview", chunk: "rest" });
    expect(await previews.next()).toBeUndefined();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("keeps the end of output that nobody fetches", async () => {
    const activity = new ActivityStream();
    using previews = new PreviewBuffer(activity, "c1");
    for (let index = 0; index < 20; index += 1) activity.emit(chunk("x".repeat(10_000)));
    activity.emit(chunk("end"));
    previews.end();
    const preview = await previews.next();
    expect(preview?.chunk).toHaveLength(64 * 1024);
    expect(preview?.chunk?.endsWith("end")).toBe(true);
  });

  it("leaves no timer and no listener behind", () => {
    const activity = new ActivityStream();
    const previews = new PreviewBuffer(activity, "c1");
    activity.emit(chunk("a"));
    previews[Symbol.dispose]();
    activity.emit(chunk("b"));
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("isCallPreview", () => {
  it("recognises previews alone", () => {
    expect([{ aiw: "preview" }, { aiw: "x" }, { success: true }, null, "preview"].map(isCallPreview)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});
