import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { flushed } from "./flushed.ts";

describe("flushed", () => {
  it("waits for a reader that takes its time", async () => {
    const stream = new PassThrough({ highWaterMark: 4 });
    stream.write("x".repeat(100));
    stream.write("end");
    let done = false;
    const waiting = flushed(stream).then(() => (done = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(done).toBe(false);
    stream.resume();
    await waiting;
    expect(stream.writableLength).toBe(0);
  });

  it("waits for nobody: nothing is written, or the reader is gone", async () => {
    await flushed(new PassThrough());
    const gone = new PassThrough({ highWaterMark: 1 });
    gone.write("xx");
    gone.write("yy");
    const waiting = flushed(gone);
    gone.destroy();
    await waiting;
    await flushed(gone);
    expect(gone.destroyed).toBe(true);
  });
});
