import { PassThrough } from "node:stream";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LineChannel, MAX_MESSAGE_BYTES } from "./line-channel.ts";

function listen(stream: PassThrough): {
  readonly messages: unknown[];
  readonly nonsense: string[];
  channel: LineChannel;
} {
  const messages: unknown[] = [];
  const nonsense: string[] = [];
  const channel = new LineChannel(stream, {
    onMessage: (message) => void messages.push(message),
    onNonsense: (reason) => void nonsense.push(reason),
    onClose: () => void messages.push("closed"),
  });
  return { messages, nonsense, channel };
}

describe("LineChannel", () => {
  it("reads messages however the bytes are cut", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue(), { maxLength: 5 }),
        fc.array(fc.nat(40), { minLength: 1 }),
        async (sent, cuts) => {
          const stream = new PassThrough();
          const { messages } = listen(stream);
          const bytes = Buffer.from(sent.map((message) => `${JSON.stringify(message)}\n`).join(""));
          for (let start = 0, turn = 0; start < bytes.length; turn += 1) {
            const end = start + 1 + (cuts[turn % cuts.length] ?? 0);
            stream.write(bytes.subarray(start, end));
            start = end;
          }
          stream.end();
          await new Promise((resolve) => void stream.once("end", resolve));
          expect(messages.filter((message) => message !== "closed")).toEqual(JSON.parse(JSON.stringify(sent)));
        },
      ),
      { numRuns: 30 },
    );
  });

  it("tells what is no JSON, and a line without an end", async () => {
    const stream = new PassThrough();
    const { nonsense } = listen(stream);
    stream.write("no json\n");
    await new Promise((resolve) => setImmediate(resolve));
    expect(nonsense).toEqual(["what is no JSON"]);
    const block = Buffer.alloc(1024 * 1024, "x");
    for (let sent = 0; sent <= MAX_MESSAGE_BYTES; sent += block.length) stream.write(block);
    await new Promise((resolve) => setImmediate(resolve));
    expect(nonsense).toContain("a message that is too long");
  });

  it("does not send what is too long", () => {
    const stream = new PassThrough();
    const { channel } = listen(stream);
    expect(channel.send({ text: "x".repeat(MAX_MESSAGE_BYTES) })).toBe(false);
    expect(channel.send({ text: "x" })).toBe(true);
  });
});
