import { chmod, stat } from "node:fs/promises";
import { runTool, type Assessment } from "@aiw/core";
import { createTwoFilesPatch } from "diff";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openBench, type Bench } from "../__fixtures__/call-tool.ts";
import { runs } from "../__fixtures__/runs.ts";
import { patchInput } from "../patch/patch-schema.ts";
import { applyPatch } from "./apply-patch.ts";
import { edit } from "./edit.ts";
import { read } from "./read.ts";
import { redo } from "./redo.ts";
import { undo } from "./undo.ts";

const TIMEOUT = { timeout: 3_600_000 };
const marked = (...lines: string[]): string => ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n");
const sizeOf = (value: unknown): number => JSON.stringify(value).length;

async function previewOf(bench: Bench, input: object): Promise<readonly string[]> {
  const result = await runTool(applyPatch, input, bench.fake.environment);
  return applyPatch.preview?.(result, 3) ?? [];
}

describe("apply_patch, what it gives", () => {
  it("shares 200 lines of diff among the files, the short ones whole", async () => {
    const long = Array.from({ length: 400 }, (_, at) => `+line ${at}`);
    await using bench = await openBench({});
    const patch = marked("*** Add File: a", ...long, "*** Add File: b", "+one", "*** Add File: c", ...long);
    const { files } = await bench.ok(applyPatch, { patch });
    const [a = [], b = [], c = []] = files.map(({ diff }) => diff.split("\n"));
    expect(b).toHaveLength(4);
    expect(a.length + b.length + c.length).toBeLessThanOrEqual(200);
    expect(a.length + b.length + c.length).toBeGreaterThan(180);
    expect(a.at(-1)).toMatch(/^\[\d+ more lines of the diff\]$/u);
  });

  it("stays within maxResultCharacters, applied or failing", TIMEOUT, async () => {
    const count = fc.integer({ min: 1, max: 80 });
    await fc.assert(
      fc.asyncProperty(count, fc.integer({ min: 4000, max: 12_000 }), fc.boolean(), async (files, most, partial) => {
        await using bench = await openBench({}, { maxResultCharacters: most });
        const adds = Array.from({ length: files }, (_, at) => [
          `*** Add File: some/folder/file-${at}.txt`,
          ...Array.from({ length: at }, () => '+"\t"'),
        ]);
        const bad = Array.from({ length: files }, (_, at) => [`*** Delete File: gone-${at}.txt`]);
        const fine = await bench.ok(applyPatch, {
          patch: marked(...[...adds, ...(partial ? bad : [])].flat()),
          partial,
        });
        expect(sizeOf(fine)).toBeLessThanOrEqual(most);
        expect(fine.files.length).toBeGreaterThan(0);
        const failure = await bench.fail(applyPatch, { patch: marked(...bad.flat()) });
        expect(sizeOf(failure)).toBeLessThanOrEqual(most);
      }),
      { numRuns: runs(15) },
    );
  });

  it("previews counts, then each file", async () => {
    await using bench = await openBench({ a: "one\ntwo\n", b: "b\n" });
    await bench.ok(read, { file_paths: ["a", "b"] });
    const patch = marked("*** Update File: a", "-one", "+1", "+1.5", "*** Delete File: b", "*** Add File: c", "+c");
    expect(await previewOf(bench, { patch, dry_run: true })).toEqual([
      "Would patch 3 files (+3 −2)",
      "  M a +2 −1",
      "  … 2 more",
    ]);
    expect(await previewOf(bench, { patch: marked("*** Update File: a", "*** Move to: d", "-one", "+1") })).toEqual([
      "Patched 1 file (+1 −1)",
      "  R a → d +1 −1",
    ]);
    expect(await previewOf(bench, { patch: "x" })).toEqual([expect.stringContaining("of the patch: expected a file")]);
  });

  it("gives etags and lines that the next edit works with", async () => {
    await using bench = await openBench({ "a.txt": "one\ntwo\nthree\n" });
    await bench.ok(read, { file_paths: ["a.txt"] });
    const { files } = await bench.ok(applyPatch, { patch: "@@\n-one\n+1\n+1.5", path: "a.txt" });
    await bench.ok(edit, {
      path: "a.txt",
      expected_etag: files[0]?.etag,
      line_edits: [{ op: "delete", line: 3 }],
    });
    expect(await bench.folder.read("a.txt")).toBe("1\n1.5\nthree\n");
  });
});

describe("apply_patch, taken back", () => {
  it("goes back as one group, and forth again", async () => {
    const old = { "a.txt": "one\r\ntwo", "b.txt": "b\n", "c.sh": "c\n" };
    await using bench = await openBench(old);
    await chmod(bench.folder.path("c.sh"), 0o750);
    await bench.ok(read, { file_paths: Object.keys(old) });
    const patch = marked(
      "*** Update File: a.txt",
      "-one",
      "+1",
      "*** Delete File: b.txt",
      "*** Update File: c.sh",
      "*** Move to: d/c.sh",
      "-c",
      "+C",
      "*** Add File: e/f.txt",
      "+f",
    );
    const { group_id } = await bench.ok(applyPatch, { patch });
    await bench.ok(undo, { group_id });
    for (const [path, text] of Object.entries(old)) expect(await bench.folder.read(path)).toBe(text);
    expect((await stat(bench.folder.path("c.sh"))).mode & 0o777).toBe(0o750);
    await expect(stat(bench.folder.path("e/f.txt"))).rejects.toThrow("ENOENT");
    await bench.ok(redo, {});
    expect(await bench.folder.read("a.txt")).toBe("1\r\ntwo");
    expect(await bench.folder.read("d/c.sh")).toBe("C\n");
    expect(await bench.folder.read("e/f.txt")).toBe("f\n");
    await expect(stat(bench.folder.path("b.txt"))).rejects.toThrow("ENOENT");
  });

  it("apply then undo gives the original bytes", TIMEOUT, async () => {
    const line = fc.tuple(fc.constantFrom("", "a", "b", "  é"), fc.constantFrom("\n", "\r\n"));
    const text = fc
      .tuple(fc.array(line, { maxLength: 12 }), fc.boolean(), fc.boolean())
      .map(
        ([lines, isBare, mark]) =>
          (mark ? "\ufeff" : "") + lines.map((own) => own.join("")).join("") + (isBare ? "end" : ""),
      );
    await fc.assert(
      fc.asyncProperty(text, text, async (old, young) => {
        const plain = (value: string): string => value.replace("\ufeff", "");
        fc.pre(plain(old) !== plain(young));
        await using bench = await openBench({ "a.txt": old });
        await bench.ok(read, { file_paths: ["a.txt"] });
        await bench.ok(applyPatch, { patch: createTwoFilesPatch("a.txt", "a.txt", plain(old), plain(young)) });
        const mark = old.startsWith("\ufeff") ? "\ufeff" : "";
        expect(await bench.folder.read("a.txt")).toBe(mark + plain(young));
        await bench.ok(undo, {});
        expect(await bench.folder.read("a.txt")).toBe(old);
      }),
      { numRuns: runs(60) },
    );
  });
});

describe("apply_patch, before it runs", () => {
  async function assess(bench: Bench, input: object): Promise<Assessment> {
    if (applyPatch.assess === undefined) throw new Error("apply_patch has no assess");
    return await applyPatch.assess(
      patchInput.parse(input),
      bench.fake.context as Parameters<typeof applyPatch.assess>[1],
    );
  }

  it("names every file it would change, both ends of a move included", async () => {
    await using bench = await openBench({ a: "x\n" });
    const patch = marked("*** Update File: a", "*** Move to: sub/b", "*** Add File: c", "+c");
    const files = ["a", "sub/b", "c"].map((path) => `file:${bench.folder.path(path)}`);
    expect(await assess(bench, { patch })).toMatchObject({ decision: "allow", resources: files });
  });

  it("asks about start-up files, wherever one is among the files", async () => {
    await using bench = await openBench({ a: "x\n" });
    for (const last of ["*** Add File: .npmrc", "*** Update File: a\n*** Move to: .bashrc"]) {
      const patch = marked("*** Add File: b", "+b", last);
      expect(await assess(bench, { patch })).toMatchObject({ decision: "ask", rule: "startup_file" });
      expect(await assess(bench, { patch, dry_run: true })).toMatchObject({
        decision: "allow",
        effects: { readOnly: true },
      });
    }
  });

  it("asks nobody about a patch that cannot be read or leads outside", async () => {
    await using bench = await openBench({});
    await expect(assess(bench, { patch: "nothing" })).rejects.toMatchObject({ code: "invalid_patch" });
    await expect(assess(bench, { patch: marked("*** Add File: ../x", "+x") })).rejects.toMatchObject({
      code: "outside_root",
    });
  });
});
