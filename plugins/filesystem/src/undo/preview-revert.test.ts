import type { ToolResult } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { previewRevert } from "./preview-revert.ts";
import type { RestoredPath, RevertOutput } from "./revert-schema.ts";

const one = (path: string, more: Partial<RestoredPath> = {}): RestoredPath => ({
  undo_id: "u1",
  group_id: "g1",
  path,
  op: "restored",
  ...more,
});
const done = (restored: RestoredPath[], more: Partial<RevertOutput> = {}) =>
  ({ success: true, value: { restored, remaining: 0, ...more } }) as ToolResult<RevertOutput>;

describe("previewRevert", () => {
  it("says whose change went back, and its lines", () => {
    const edit = one("src/a.ts", { tool: "edit", additions: 3, deletions: 1 });
    expect(previewRevert("undo", done([edit]), 3)).toEqual(["Undid edit of src/a.ts (+3 −1)"]);
    expect(previewRevert("redo", done([edit]), 3)).toEqual(["Redid edit of src/a.ts (+3 −1)"]);
    expect(previewRevert("undo", done([edit], { dry_run: true }), 3)).toEqual(["Would undo edit of src/a.ts (+3 −1)"]);
  });

  it("counts what does not fit", () => {
    const many = ["a", "b", "c", "d"].map((path) => one(path, { tool: "apply_patch" }));
    expect(previewRevert("undo", done(many), 3)).toEqual(["Undid 4 changes", "  apply_patch of a", "  … 3 more"]);
    expect(previewRevert("undo", done(many.slice(0, 2)), 3)).toEqual([
      "Undid 2 changes",
      "  apply_patch of a",
      "  apply_patch of b",
    ]);
  });

  it("shows both names of what was moved, on one line whatever they hold", () => {
    expect(previewRevert("undo", done([one("a\nb", { from: "c", op: "moved", tool: "move" })]), 3)).toEqual([
      String.raw`Undid move of c to a\nb`,
    ]);
  });

  it("gives the failure's words", () => {
    const failure = { success: false, error: "Nothing to undo." } as ToolResult<RevertOutput>;
    expect(previewRevert("undo", failure, 3)).toEqual(["Nothing to undo."]);
  });
});
