import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { runTool, type Tool, type ToolContext } from "@aiw/core";
import { fakeContext, temporaryWorkspace } from "@aiw/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openBench } from "../__fixtures__/call-tool.ts";
import { runs } from "../__fixtures__/runs.ts";
import type { FilesystemOptions } from "../options.ts";
import { applyPatch } from "./apply-patch.ts";
import { deleteTool } from "./delete.ts";
import { edit } from "./edit.ts";
import { move } from "./move.ts";
import { read } from "./read.ts";
import { undo } from "./undo.ts";
import { write } from "./write.ts";

const LINES = 8;
const textOf = (name: string): string =>
  Array.from({ length: LINES }, (_, index) => `${name} line ${index}.\n`).join("");
const FILES = { "a.txt": textOf("a"), "b.txt": textOf("b"), log: "begun\n" };

/** A change that no other of another number meets but in the same file. */
function toCall(kind: "edit" | "append" | "patch", number: number): [Tool, object] {
  if (kind === "append") return [write as Tool, { path: "log", content: `added ${number}.\n`, mode: "append" }];
  const old = `line ${number}.`;
  if (kind === "edit")
    return [edit as Tool, { path: "a.txt", edits: [{ old_text: `a ${old}`, new_text: `A ${old}\nmore` }] }];
  const sections = ["a", "b"].map(
    (name) => `*** Update File: ${name}.txt\n@@\n-${name} ${old}\n+${name.toUpperCase()} ${old}\n`,
  );
  const ordered = number % 2 === 0 ? sections : sections.toReversed();
  return [applyPatch as Tool, { patch: `*** Begin Patch\n${ordered.join("")}*** End Patch\n` }];
}

/** Takes changes back in whichever order they can be, which is the one they were made in, turned round. */
async function undoAll(made: readonly { readonly undoId: string; readonly by: ReturnType<typeof fakeContext> }[]) {
  let left = [...made];
  while (left.length > 0) {
    const refused: typeof left = [];
    for (const one of left) {
      const result = await runTool(undo, { undo_id: one.undoId }, one.by.environment);
      if (!result.success) refused.push(one);
    }
    if (refused.length === left.length) throw new Error(`${left.length} changes are not taken back.`);
    left = refused;
  }
}

describe("calls of two conversations that meet", () => {
  it("all succeed, and undo of all gives the original bytes", { timeout: 120_000 }, async () => {
    const call = fc.record({
      kind: fc.constantFrom("edit", "append", "patch" as const),
      number: fc.nat(LINES - 1),
      isOther: fc.boolean(),
    });
    const calls = fc.uniqueArray(call, { minLength: 2, maxLength: 10, selector: ({ number }) => number });
    await fc.assert(
      fc.asyncProperty(calls, async (given) => {
        await using bench = await openBench(FILES);
        await using other = fakeContext({ workspace: bench.folder, sessionId: "other" });
        const made = await Promise.all(
          given.map(async ({ kind, number, isOther }) => {
            const by = isOther ? other : bench.fake;
            const result = await runTool(...toCall(kind, number), by.environment);
            expect(result).toMatchObject({ success: true });
            const value = (result as { value: { undo_id?: string; files?: { undo_id: string }[] } }).value;
            return [value, ...(value.files ?? [])].flatMap(({ undo_id }) =>
              undo_id === undefined ? [] : [{ undoId: undo_id, by }],
            );
          }),
        );
        const [a, b, log] = await Promise.all(["a.txt", "b.txt", "log"].map(async (name) => bench.folder.read(name)));
        for (const { kind, number } of given) {
          if (kind === "append") expect(log).toContain(`\nadded ${number}.\n`);
          else expect(a).toContain(`A line ${number}.\n`);
          if (kind === "patch") expect(b).toContain(`B line ${number}.\n`);
        }
        await undoAll(made.flat());
        for (const [name, before] of Object.entries(FILES)) expect(await bench.folder.read(name)).toBe(before);
      }),
      { numRuns: runs(15) },
    );
  });

  it("lose no edit of two processes", { timeout: 120_000 }, async () => {
    const lines = (name: string): string => Array.from({ length: 60 }, (_, index) => `${name} ${index}.\n`).join("");
    await using folder = await temporaryWorkspace({ "a.txt": lines("line") });
    const script = fileURLToPath(new URL("../__fixtures__/edit-in-turn.ts", import.meta.url));
    const edits = ["0", "1"].map(async (first) => {
      const args = ["--conditions=aiw-source", script, folder.cwd, first, "60"];
      const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
      const [printed] = await Promise.all([text(child.stdout), once(child, "exit")]);
      return printed;
    });
    expect(await Promise.all(edits)).toEqual(["[]", "[]"]);
    expect(await folder.read("a.txt")).toBe(lines("made"));
  });
});

describe("a patch that waits for another", () => {
  it("is not placed by line numbers, which may be those of another line by now", async () => {
    await using bench = await openBench({ "n.txt": `top\n${"same\n".repeat(6)}` });
    await using by = fakeContext({ workspace: bench.folder, options: { hard_links: "detach" } });
    expect(await runTool(read, { file_paths: ["n.txt"] }, by.environment)).toMatchObject({ success: true });
    const context = by.context as ToolContext<FilesystemOptions>;
    // Without the look ahead of approvals, the one that is called first goes first.
    const apply = async (hunk: string): Promise<unknown> =>
      await applyPatch.execute({ patch: `--- a/n.txt\n+++ b/n.txt\n${hunk}`, partial: false, dry_run: false }, context);
    const added = apply("@@ -1 +1,3 @@\n top\n+one\n+two\n");
    await expect(apply("@@ -4 +4 @@\n-same\n+other\n")).rejects.toMatchObject({ code: "ambiguous_match" });
    await added;
    expect(await bench.folder.read("n.txt")).toBe(`top\none\ntwo\n${"same\n".repeat(6)}`);
    await apply("@@ -6 +6 @@\n-same\n+other\n");
    expect(await bench.folder.read("n.txt")).toBe(`top\none\ntwo\nsame\nsame\nother\n${"same\n".repeat(3)}`);
  });
});

describe("calls that meet what moves or goes", () => {
  const change = { path: "a.txt", edits: [{ old_text: "a line 1.", new_text: "changed" }] };

  it.each([
    ["moved", move as Tool, { from: "a.txt", to: "c.txt" }],
    ["deleted", deleteTool as Tool, { paths: ["a.txt"] }],
  ])("are made before it is %s, or told that it is gone", { timeout: 60_000 }, async (_, other, input) => {
    for (let run = 0; run < runs(10); run += 1) {
      await using bench = await openBench(FILES);
      await bench.ok(read, { file_paths: ["a.txt"] });
      const [edited, gone] = await Promise.all([
        runTool(edit, change, bench.fake.environment),
        runTool(other, input, bench.fake.environment),
      ]);
      expect(edited.success || gone.success).toBe(true);
      if (!edited.success) expect(["not_found", "conflict"]).toContain(edited.code);
      if (!gone.success) expect(gone.code).toBe("conflict");
      for (const one of [edited, gone]) expect(one).not.toHaveProperty("details.not_restored");
      const place = other === (move as Tool) && gone.success ? "c.txt" : "a.txt";
      if (edited.success && (place === "c.txt" || !gone.success))
        expect(await bench.folder.read(place)).toBe(FILES["a.txt"].replace("a line 1.", "changed"));
    }
  });
});

describe("what is known of a file after calls that met", () => {
  it("are the lines that were shown or written, where they stand now", { timeout: 60_000 }, async () => {
    await using bench = await openBench(FILES);
    await bench.ok(read, { file_paths: ["a.txt"], offset: 3, limit: 2 });
    await Promise.all([0, 5, 7].map(async (number) => await bench.ok(...toCall("edit", number))));
    const lines = (await bench.folder.read("a.txt")).split("\n").slice(0, -1);
    const known = new Set(["a line 2.", "a line 3.", "A line 0.", "A line 5.", "A line 7.", "more"]);
    for (const [index, line] of lines.entries()) {
      const line_edits = [{ op: "replace", line: index + 1, content: "new" }];
      const result = await runTool(edit, { path: "a.txt", line_edits, dry_run: true }, bench.fake.environment);
      expect([line, result.success]).toEqual([line, known.has(line)]);
    }
  });
});
