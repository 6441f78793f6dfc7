import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openBench } from "../__fixtures__/call-tool.ts";
import { redo } from "./redo.ts";
import { undo } from "./undo.ts";
import { write } from "./write.ts";

describe("redo, by name", () => {
  it("makes one undone change again, and says what is left", async () => {
    await using bench = await openBench();
    const { undo_id } = await bench.ok(write, { path: "a.txt", content: "a\n" });
    await bench.ok(undo, { undo_id });
    const tried = await bench.ok(redo, { undo_id, dry_run: true });
    expect(tried).toMatchObject({ dry_run: true, restored: [{ undo_id, path: "a.txt" }] });
    expect(await bench.ok(redo, { undo_id })).toMatchObject({ restored: [{ undo_id, path: "a.txt" }], remaining: 0 });
    expect(await readFile(join(bench.folder.cwd, "a.txt"), "utf8")).toBe("a\n");
    expect((await bench.fail(redo, {})).code).toBe("nothing_to_undo");
  });
});
