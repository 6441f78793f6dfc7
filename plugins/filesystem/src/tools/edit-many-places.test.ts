import { describe, expect, it } from "vitest";
import { openBench } from "../__fixtures__/call-tool.ts";
import { edit } from "./edit.ts";
import { read } from "./read.ts";

describe("edit, many places", () => {
  it("replaces 100,000 places of a file that was shown", { timeout: 60_000 }, async () => {
    await using bench = await openBench({ "a.txt": "x".repeat(100_000) });
    const expected_etag = await etagOf(bench);
    const replaced = await bench.ok(edit, {
      path: "a.txt",
      edits: [{ old_text: "x", new_text: "yy", replace_all: true }],
      expected_etag,
    });
    expect(replaced.edits).toMatchObject([{ replacements: 100_000 }]);
    expect(await bench.folder.read("a.txt")).toBe("yy".repeat(100_000));
  });

  it.each([{ replace_all: true }, { expected_count: 100_000 }, { near_line: 1 }, {}])(
    "refuses an old text at more than 100,000 places, and replaces none: %j",
    { timeout: 60_000 },
    async (how) => {
      const text = "x".repeat(100_001);
      await using bench = await openBench({ "a.txt": text });
      const edits = [{ old_text: "x", new_text: "y", ...how }];
      const failure = await bench.fail(edit, { path: "a.txt", edits, expected_etag: await etagOf(bench) });
      expect(failure).toMatchObject({ code: "too_large", details: { most_places: 100_000 } });
      expect(await bench.folder.read("a.txt")).toBe(text);
    },
  );

  it(
    "makes 100 edits of a file of nearly 20 MiB without searching its lines again for each",
    { timeout: 60_000 },
    async () => {
      const lines = Array.from({ length: 450_000 }, (_, index) => `const value${index} = compute(input, ${index});`);
      await using bench = await openBench({ "a.txt": lines.join("\n") });
      const edits = Array.from({ length: 100 }, (_, index) => ({
        old_text: `value${index * 4500} =`,
        new_text: `other${index * 4500} =\n `,
      }));
      const done = await bench.ok(edit, { path: "a.txt", edits });
      expect(done.edits).toHaveLength(100);
      expect(done).toMatchObject({ additions: 200, deletions: 100 });
      expect(done.diff).toContain("@@ -1,4 +1,5 @@\n-const value0 = compute(input, 0);\n+const other0 =\n");
      for (const { old_text, new_text } of edits) {
        const at = Number(old_text.slice(5, -2));
        lines[at] = (lines[at] ?? "").replace(old_text, new_text);
      }
      expect(await bench.folder.read("a.txt")).toBe(lines.join("\n"));
    },
  );
});

async function etagOf(bench: Awaited<ReturnType<typeof openBench>>): Promise<string> {
  const { files } = await bench.ok(read, { file_paths: ["a.txt"], limit: 1 });
  return files[0]?.etag ?? "";
}
