import { describe, expect, it } from "vitest";
import { openBench } from "../__fixtures__/call-tool.ts";
import { edit } from "./edit.ts";

describe("edit", () => {
  it("replaces a text that stands there once, and tells what it did", async () => {
    await using bench = await openBench({ "a.ts": "const a = 1;\nconst b = 2;\nconst c = 3;\n" });
    const value = await bench.ok(edit, {
      path: "a.ts",
      edits: [{ old_text: "const b = 2;", new_text: "const b = 20;\nconst bb = 21;" }],
      show_context: 1,
    });
    expect(value).toEqual({
      path: "a.ts",
      edits: [{ strategy: "exact", replacements: 1, first_line: 2 }],
      additions: 2,
      deletions: 1,
      diff: "--- a.ts\n+++ a.ts\n@@ -1,3 +1,4 @@\n const a = 1;\n-const b = 2;\n+const b = 20;\n+const bb = 21;\n const c = 3;",
      etag: expect.stringMatching(/^[0-9a-f]{64}$/u),
      undo_id: expect.any(String),
      context: "     1\tconst a = 1;\n     2\tconst b = 20;\n     3\tconst bb = 21;\n     4\tconst c = 3;",
    });
    expect(await bench.folder.read("a.ts")).toBe("const a = 1;\nconst b = 20;\nconst bb = 21;\nconst c = 3;\n");
  });
});
