import { PassThrough } from "node:stream";
import { text as readAll } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { StandardOutput, type StandardOutputPort } from "./standard-output.ts";

interface Fake {
  readonly port: StandardOutputPort;
  readonly opened: () => boolean;
  readonly text: () => string;
  readonly failures: string[];
}

/** A descriptor that takes so many bytes, then fails; and the stream beside it. */
function fake({ room = Infinity, error = "EAGAIN", isDevice = false, columns = 80 } = {}): Fake {
  const stream = new PassThrough();
  const taken: Uint8Array[] = [];
  const failures: string[] = [];
  let left = room;
  let opened = false;
  return {
    port: {
      isDevice: () => isDevice,
      write(bytes) {
        if (left === 0) throw Object.assign(new TypeError(error), { code: error });
        const count = Math.min(left, bytes.length, 3);
        left -= count;
        taken.push(bytes.slice(0, count));
        return count;
      },
      stream() {
        opened = true;
        return Object.assign(stream, { columns }) as unknown as NodeJS.WriteStream;
      },
      fail: (reason) => failures.push(reason),
    },
    opened: () => opened,
    text: () => Buffer.concat(taken).toString(),
    failures,
  };
}

describe("StandardOutput", () => {
  it("knows no width of a terminal that says 0", () => {
    expect(new StandardOutput(fake({ isDevice: true }).port).columns).toBe(80);
    expect(new StandardOutput(fake({ isDevice: true, columns: 0 }).port).columns).toBeUndefined();
  });

  it("writes everything without a stream, however little the system takes at once", () => {
    const { port, opened, text } = fake();
    new StandardOutput(port).write("späte Grüße\n");
    expect([text(), opened()]).toEqual(["späte Grüße\n", false]);
  });

  it("hands the rest to the stream when a pipe is full, and all that follows", async () => {
    const { port, opened, text } = fake({ room: 4 });
    const output = new StandardOutput(port);
    output.write("abcdef");
    output.write("gh");
    expect([text(), opened()]).toEqual(["abcd", true]);
    const rest = readAll(port.stream() as unknown as PassThrough);
    await output.flush();
    port.stream().end();
    expect(await rest).toBe("efgh");
  });

  it.each(["EPIPE", "EOF"])("says nothing of a reader that went away: %s", async (error) => {
    const { port, failures } = fake({ room: 0, error });
    const output = new StandardOutput(port);
    output.write("x");
    await output.flush();
    expect(failures).toEqual([]);
  });

  it("tells once, at the end, that not everything could be written", async () => {
    const { port, text, failures } = fake({ room: 2, error: "ENOSPC" });
    const output = new StandardOutput(port);
    output.write("abcd");
    output.write("e");
    expect([text(), failures]).toEqual(["ab", []]);
    await output.flush();
    expect(failures).toEqual(["ENOSPC"]);
  });

  it("tells the same of a device that takes no more", async () => {
    const { port, failures } = fake({ isDevice: true });
    const output = new StandardOutput(port);
    const full = Object.assign(new TypeError("no space left"), { code: "ENOSPC" });
    (port.stream() as unknown as PassThrough).destroy(full);
    output.write("a");
    await new Promise((resolve) => setImmediate(resolve));
    output.write("b");
    await output.flush();
    expect(failures).toEqual(["no space left"]);
  });

  it("is the stream where someone may look", () => {
    const { port, opened } = fake({ isDevice: true });
    new StandardOutput(port).write("x");
    expect(opened()).toBe(true);
  });

  it("is the stream where the descriptor cannot be asked", () => {
    const { port, opened } = fake();
    const closed = {
      ...port,
      isDevice: () => {
        throw new TypeError("EBADF");
      },
    };
    new StandardOutput(closed).write("x");
    expect(opened()).toBe(true);
  });
});
