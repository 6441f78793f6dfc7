import { chmod, readFile as readBytes, stat, utimes, writeFile } from "node:fs/promises";
import { workLog, type ChangeHistory } from "@aiw/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openBench, type Bench } from "../__fixtures__/call-tool.ts";
import { runs } from "../__fixtures__/runs.ts";
import { edit } from "./edit.ts";
import { read } from "./read.ts";
import { readFile } from "./read-file.ts";
import { write } from "./write.ts";

const { signal } = new AbortController();

async function changesOf(bench: Bench): Promise<ChangeHistory> {
  return (await bench.fake.context.session.get(workLog)).changes;
}

describe("edit and write, taken back", () => {
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

  it("apply then undo gives the original bytes, mode and time", { timeout: 3_600_000 }, async () => {
    const words = fc
      .array(fc.constantFrom("a", "b", "“c”", " "), { minLength: 1, maxLength: 4 })
      .map((parts) => parts.join(""));
    const lines = fc.array(fc.tuple(words, fc.constantFrom("\n", "\r\n")), { minLength: 1, maxLength: 5 });
    const modes = fc.constantFrom(0o640, 0o755, 0o600);
    await fc.assert(
      fc.asyncProperty(
        lines,
        modes,
        fc.boolean(),
        fc.array(fc.nat(4), { minLength: 1, maxLength: 4 }),
        async (parts, mode, mark, steps) => {
          const text =
            (mark ? "\ufeff" : "") + parts.map(([line, ending], index) => `${index}${line}${ending}`).join("");
          await using bench = await openBench({ "a.txt": text });
          const path = bench.folder.path("a.txt");
          await chmod(path, mode);
          await utimes(path, 1_700_000_000, 1_600_000_000);
          await bench.ok(read, { file_paths: ["a.txt"], limit: 0 });
          for (const [index, step] of steps.entries()) {
            const content = `new ${index} ${step}\n`;
            if (step % 2 === 0)
              await bench.ok(edit, { path: "a.txt", line_edits: [{ op: "insert", line: 1, content }] });
            else await bench.ok(write, { path: "a.txt", content, mode: step === 1 ? "append" : "overwrite" });
          }
          const after = await readBytes(path);
          const changes = await changesOf(bench);
          expect((await changes.undo({ signal })).left).toBe(0);
          expect(await bench.folder.read("a.txt")).toBe(text);
          const facts = await stat(path);
          expect([facts.mode & 0o777, facts.mtimeMs]).toEqual([mode, 1_600_000_000_000]);
          expect((await changes.redo({ signal })).left).toBe(0);
          expect(await readBytes(path)).toEqual(after);
        },
      ),
      { numRuns: runs(20) },
    );
  });

  it("refuses to take back what somebody else has changed since, and leaves it", async () => {
    await using bench = await openBench({ "b.txt": "old\n" });
    await bench.ok(write, { path: "a.txt", content: "one\n" });
    await bench.ok(edit, { path: "b.txt", edits: [{ old_text: "old", new_text: "new" }] });
    const changes = await changesOf(bench);
    await writeFile(bench.folder.path("b.txt"), "theirs\n");
    expect(await changes.undo({ signal })).toMatchObject({ changes: [], refused: { code: "conflict" }, left: 2 });
    expect(await bench.folder.read("b.txt")).toBe("theirs\n");
    await writeFile(bench.folder.path("b.txt"), "new\n");
    await writeFile(bench.folder.path("a.txt"), "theirs\n");
    expect(await changes.undo({ signal })).toMatchObject({ changes: [{ title: "Edited b.txt" }], left: 1 });
    expect(await bench.folder.read("a.txt")).toBe("theirs\n");
  });

  it("records nothing where nothing changed", async () => {
    await using bench = await openBench({ "a.txt": "a\n" });
    await bench.ok(read, { file_paths: ["a.txt"] });
    await bench.ok(write, { path: "a.txt", content: "a\n", mode: "overwrite" });
    await bench.ok(write, { path: "b.txt", content: "b\n", dry_run: true });
    await bench.ok(edit, { path: "a.txt", edits: [{ old_text: "a", new_text: "b" }], dry_run: true });
    expect((await changesOf(bench)).list().done).toEqual([]);
  });

  it("takes executable bits back as well", async () => {
    await using bench = await openBench({ "run.sh": "a\n" });
    await chmod(bench.folder.path("run.sh"), 0o644);
    await bench.ok(read, { file_paths: ["run.sh"] });
    await bench.ok(write, { path: "run.sh", content: "b\n", mode: "overwrite", executable: true });
    await (await changesOf(bench)).undo({ signal });
    expect(await bench.folder.read("run.sh")).toBe("a\n");
    expect((await stat(bench.folder.path("run.sh"))).mode & 0o777).toBe(0o644);
  });

  it("says which files were read and written", async () => {
    await using bench = await openBench({ "a.txt": "a\n", "b.txt": "b\n", "c/d.txt": "d\n" });
    await bench.ok(read, { file_paths: ["a.txt", "missing.txt", "c"] });
    await bench.ok(readFile, { path: "b.txt" });
    await bench.ok(edit, { path: "a.txt", edits: [{ old_text: "a", new_text: "x" }] });
    const { files } = await bench.fake.context.session.get(workLog);
    expect(files.list()).toMatchObject([
      { path: bench.folder.path("a.txt"), read: { calls: 1 }, written: { calls: 1 } },
      { path: bench.folder.path("b.txt"), read: { calls: 1 } },
    ]);
  });
});
