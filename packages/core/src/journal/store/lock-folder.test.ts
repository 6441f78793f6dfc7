import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lockFolder } from "./lock-folder.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "aiw-lock-"));
});
afterEach(async () => await rm(folder, { recursive: true }));

describe("lockFolder", () => {
  it("lets one after the other in, in the order they came", async () => {
    const order: number[] = [];
    let inside = 0;
    const enter = async (index: number): Promise<void> => {
      await using _lock = await lockFolder(folder);
      inside += 1;
      expect(inside).toBe(1);
      order.push(index);
      await readdir(folder);
      inside -= 1;
    };
    const all = Array.from({ length: 30 }, (_, index) => index);
    await Promise.all(all.map(enter));
    expect(order).toEqual(all);
    expect(await readdir(folder)).toEqual([]);
  });

  it("waits for no lock of its own that could not be removed", { timeout: 4000 }, async () => {
    let own: string;
    {
      await using _lock = await lockFolder(folder);
      own = await readFile(join(folder, "lock"), "utf8");
    }
    await writeFile(join(folder, "lock"), own);
    await using _again = await lockFolder(folder);
    expect(await readFile(join(folder, "lock"), "utf8")).toBe(own);
  });

  it("lets the next one in where a lock cannot be had", async () => {
    const gone = join(folder, "gone");
    await expect(lockFolder(gone)).rejects.toHaveProperty("code", "ENOENT");
    await expect(lockFolder(gone)).rejects.toHaveProperty("code", "ENOENT");
  });
});
