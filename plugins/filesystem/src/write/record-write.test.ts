import { chmod, readFile as readBytes, rm, stat, writeFile } from "node:fs/promises";
import { workLog, type ChangeHistory } from "@aiw/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openBench, type Bench } from "../__fixtures__/call-tool.ts";
import { read } from "../tools/read.ts";
import { readFile } from "../tools/read-file.ts";
import { write } from "../tools/write.ts";

const { signal } = new AbortController();

async function changesOf(bench: Bench): Promise<ChangeHistory> {
  return (await bench.fake.context.session.get(workLog)).changes;
}

describe("recordWrite", () => {
  it("lets a created file be taken back and made again", async () => {
    await using bench = await openBench();
    await bench.ok(write, { path: "src/a.ts", content: "one\n" });
    const changes = await changesOf(bench);
    expect(changes.list().done[0]?.changes).toMatchObject([
      { title: "Created src/a.ts", resources: [`file:${bench.folder.path("src/a.ts")}`] },
    ]);
    expect(await changes.undo({ signal })).toMatchObject({ left: 0 });
    await expect(bench.folder.read("src/a.ts")).rejects.toThrow("ENOENT");
    expect(await changes.redo({ signal })).toMatchObject({ left: 0 });
    expect(await bench.folder.read("src/a.ts")).toBe("one\n");
  });

  it("gives back every byte, the mode included", async () => {
    const before = Buffer.from([0xef, 0xbb, 0xbf, ...Buffer.from("a\r\nb\r\n")]);
    await using bench = await openBench({ "a.txt": before });
    await chmod(bench.folder.path("a.txt"), 0o640);
    await bench.ok(read, { file_paths: ["a.txt"] });
    await bench.ok(write, { path: "a.txt", content: "c\n", mode: "overwrite" });
    await bench.ok(write, { path: "a.txt", content: "d\n", mode: "append" });
    const after = await readBytes(bench.folder.path("a.txt"));
    const changes = await changesOf(bench);
    expect((await changes.undo({ signal })).changes).toHaveLength(2);
    expect(await readBytes(bench.folder.path("a.txt"))).toEqual(before);
    expect((await stat(bench.folder.path("a.txt"))).mode & 0o777).toBe(0o640);
    expect((await changes.redo({ signal })).changes).toHaveLength(2);
    expect(await readBytes(bench.folder.path("a.txt"))).toEqual(after);
  });

  it("refuses to take back what somebody else has changed since, and leaves it", async () => {
    await using bench = await openBench({ "b.txt": "old\n" });
    await bench.ok(write, { path: "a.txt", content: "one\n" });
    await bench.ok(read, { file_paths: ["b.txt"] });
    await bench.ok(write, { path: "b.txt", content: "new\n", mode: "overwrite" });
    const changes = await changesOf(bench);
    await writeFile(bench.folder.path("b.txt"), "theirs\n");
    expect(await changes.undo({ signal })).toMatchObject({ changes: [], refused: { code: "conflict" }, left: 2 });
    expect(await bench.folder.read("b.txt")).toBe("theirs\n");
    await writeFile(bench.folder.path("b.txt"), "new\n");
    await writeFile(bench.folder.path("a.txt"), "theirs\n");
    expect(await changes.undo({ signal })).toMatchObject({ changes: [{ title: "Wrote b.txt" }], left: 1 });
    expect(await bench.folder.read("a.txt")).toBe("theirs\n");
    await rm(bench.folder.path("a.txt"));
    expect(await changes.undo({ signal })).toMatchObject({ refused: { code: "conflict" } });
  });

  it("says of what was too large to keep, and of executable bits, that they are not taken back", async () => {
    await using bench = await openBench({ "big.txt": "x".repeat(6 * 1024 * 1024), "run.sh": "a\n" });
    const changes = await changesOf(bench);
    await bench.ok(write, { path: "big.txt", content: "y", mode: "append" });
    expect(await changes.undo({ signal })).toMatchObject({ refused: { code: "too_large" } });
    await bench.ok(read, { file_paths: ["run.sh"] });
    await bench.ok(write, { path: "run.sh", content: "b\n", mode: "overwrite", executable: true });
    expect(await changes.undo({ signal })).toMatchObject({ refused: { code: "conflict" } });
    expect(await bench.folder.read("run.sh")).toBe("b\n");
  });

  it("records nothing where nothing changed", async () => {
    await using bench = await openBench({ "a.txt": "a\n" });
    await bench.ok(read, { file_paths: ["a.txt"] });
    await bench.ok(write, { path: "a.txt", content: "a\n", mode: "overwrite" });
    await bench.ok(write, { path: "b.txt", content: "b\n", dry_run: true });
    expect((await changesOf(bench)).list().done).toEqual([]);
  });

  it("says which files were read and written", async () => {
    await using bench = await openBench({ "a.txt": "a\n", "b.txt": "b\n", "c/d.txt": "d\n" });
    await bench.ok(read, { file_paths: ["a.txt", "missing.txt", "c"] });
    await bench.ok(readFile, { path: "b.txt" });
    await bench.ok(write, { path: "a.txt", content: "x\n", mode: "overwrite" });
    const { files } = await bench.fake.context.session.get(workLog);
    expect(files.list()).toMatchObject([
      { path: bench.folder.path("a.txt"), read: { calls: 1 }, written: { calls: 1 } },
      { path: bench.folder.path("b.txt"), read: { calls: 1 } },
    ]);
  });

  it("restores any sequence of writes byte by byte", { timeout: 60_000 }, async () => {
    const texts = fc.array(fc.string({ unit: "grapheme", maxLength: 40 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(fc.option(fc.string({ unit: "grapheme" })), texts, async (start, contents) => {
        await using bench = await openBench(start === null ? {} : { "a.txt": start });
        if (start !== null) await bench.ok(read, { file_paths: ["a.txt"], limit: 0, max_tokens: 1_000_000 });
        for (const [index, content] of contents.entries()) {
          const mode = index % 2 === 0 ? "overwrite" : "append";
          await bench.ok(write, { path: "a.txt", content, mode });
        }
        const end = await bench.folder.read("a.txt");
        const changes = await changesOf(bench);
        expect(await changes.undo({ signal })).toMatchObject({ left: 0 });
        if (start !== null) expect(await bench.folder.read("a.txt")).toBe(start);
        await changes.redo({ signal });
        expect(await bench.folder.read("a.txt")).toBe(end);
      }),
      { numRuns: 25 },
    );
  });
});
