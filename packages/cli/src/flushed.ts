import type { Writable } from "node:stream";

/** Waits until a slow reader (`aiw list | less`) took all that was written, or went away. */
export function flushed(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || stream.writableLength === 0) resolve();
    else {
      stream.once("close", resolve);
      stream.write("", () => resolve());
    }
  });
}
