import { appendFile, mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { etagOfBytes, etagOfFile, readBlocks } from "./etag.ts";

describe("readBlocks", () => {
  it("reads the bytes there were, though the file grows all the while", async () => {
    const folder = await mkdtemp(join(tmpdir(), "aiw-etag-"));
    const file = join(folder, "log");
    await writeFile(file, "x".repeat(1_000_000));
    const handle = await open(file);
    let bytes = 0;
    for await (const block of readBlocks(handle)) {
      bytes += block.length;
      await appendFile(file, "y".repeat(500_000));
    }
    await handle.close();
    await rm(folder, { recursive: true });
    expect(bytes).toBe(1_000_000);
  });
});

describe("etagOfFile", () => {
  it("equals the etag of the same bytes in memory", async () => {
    const folder = await mkdtemp(join(tmpdir(), "aiw-etag-"));
    const content = new TextEncoder().encode("a\nb\n".repeat(100_000));
    await writeFile(join(folder, "a"), content);
    const handle = await open(join(folder, "a"));
    expect(await etagOfFile(handle)).toBe(etagOfBytes(content));
    await handle.close();
    await rm(folder, { recursive: true });
  });
});
