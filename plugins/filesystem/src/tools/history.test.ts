import { describe, expect, it } from "vitest";
import { openBench } from "../__fixtures__/call-tool.ts";
import { deleteTool } from "./delete.ts";
import { history } from "./history.ts";
import { undo } from "./undo.ts";
import { write } from "./write.ts";

describe("history, of this conversation", () => {
  it("shows no more than asked for, the newest first, and counts all", async () => {
    await using bench = await openBench({ "a.txt": "a\n" });
    expect(await bench.ok(history, {})).toMatchObject({ entries: [], total: 0 });
    await bench.ok(write, { path: "b.txt", content: "b\n" });
    await bench.ok(deleteTool, { paths: ["a.txt"] });
    await bench.ok(undo, {});
    const { entries, total } = await bench.ok(history, { limit: 1 });
    expect(total).toBe(2);
    expect(entries).toMatchObject([{ tool: "delete", op: "delete", path: "a.txt", state: "undone", reversible: true }]);
  });
});
