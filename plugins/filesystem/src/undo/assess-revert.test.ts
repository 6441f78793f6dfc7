import type { Assessment } from "@aiw/core";
import { applyChanges, openWorkspace } from "@aiw/core/node";
import { describe, expect, it } from "vitest";
import { openBench, type Bench } from "../__fixtures__/call-tool.ts";
import { undo } from "../tools/undo.ts";
import { revertInput } from "./revert-schema.ts";

async function create(bench: Bench, ...paths: string[]): Promise<void> {
  await using workspace = await openWorkspace(bench.folder);
  const changes = paths.map((path) => ({
    op: "write" as const,
    path,
    content: Buffer.from("new"),
    options: { mode: "create" as const, createDirs: true },
  }));
  await applyChanges(bench.fake.context, workspace, { tool: "write", title: "Wrote", changes });
}

async function assess(bench: Bench, input: object): Promise<Assessment> {
  const parsed = revertInput.parse(input);
  if (undo.assess === undefined) throw new Error("undo has no assess");
  return await undo.assess(parsed, bench.fake.context as never);
}

describe("undo.assess", () => {
  it("names every file that would go back, and changes none", async () => {
    await using bench = await openBench();
    await create(bench, "a.txt", "d/b.txt");
    const verdict = await assess(bench, {});
    expect(verdict).toMatchObject({ decision: "allow" });
    expect(verdict.effects).toBeUndefined();
    expect(verdict.resources?.toSorted()).toEqual(
      expect.arrayContaining([`file:${bench.folder.path("a.txt")}`, `file:${bench.folder.path("d/b.txt")}`]),
    );
    expect(await bench.folder.read("a.txt")).toBe("new");
  });

  it("takes a dry run for reading, and always asks before what programs obey when they start", async () => {
    await using bench = await openBench();
    await create(bench, "a.txt", ".bashrc");
    expect(await assess(bench, { dry_run: true })).toMatchObject({ decision: "allow", effects: { readOnly: true } });
    expect(await assess(bench, {})).toMatchObject({ decision: "ask", rule: "startup_file" });
  });

  it("binds the call to what was judged, whatever is changed before it runs", async () => {
    await using bench = await openBench();
    await create(bench, "a.txt");
    await assess(bench, {});
    await create(bench, "b.txt");
    expect(await bench.ok(undo, {})).toMatchObject({ restored: [{ path: "a.txt", op: "removed" }] });
    expect(await bench.folder.read("b.txt")).toBe("new");
  });

  it("asks nobody about what cannot go back", async () => {
    await using bench = await openBench();
    await expect(assess(bench, {})).rejects.toMatchObject({ code: "nothing_to_undo" });
    await create(bench, "a.txt");
    await bench.folder.write("a.txt", "theirs");
    await expect(assess(bench, {})).rejects.toMatchObject({
      code: "conflict",
      suggestion: expect.not.stringContaining("dry_run"),
    });
  });
});
