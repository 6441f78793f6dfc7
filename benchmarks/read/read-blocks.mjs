// The floor: one buffer of 256 KiB, line feeds counted until the first line, then the lines. Nothing is confined, decoded with
// care, bounded or counted to the end.
import { open } from "node:fs/promises";

/** Gives `limit` lines from line `offset` on. */
export async function readBlocks(file, offset, limit) {
  const handle = await open(file);
  const buffer = Buffer.allocUnsafe(256 * 1024);
  const parts = [];
  let line = 1;
  try {
    for (let position = 0; line < offset + limit;) {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
      if (bytesRead === 0) break;
      const block = buffer.subarray(0, bytesRead);
      let start = line >= offset ? 0 : -1;
      let end = bytesRead;
      for (let at = block.indexOf(10); at !== -1; at = block.indexOf(10, at + 1)) {
        line += 1;
        if (line === offset) start = at + 1;
        if (line === offset + limit) {
          end = at + 1;
          break;
        }
      }
      if (start !== -1) parts.push(Buffer.from(block.subarray(start, end)));
      position += bytesRead;
    }
  } finally {
    await handle.close();
  }
  return Buffer.concat(parts).toString("utf8");
}
