import { chmod, symlink, utimes } from "node:fs/promises";
import type { Tool } from "@aiw/core";
import { applyPatch } from "../tools/apply-patch.ts";
import { copy } from "../tools/copy.ts";
import { deleteTool } from "../tools/delete.ts";
import { edit } from "../tools/edit.ts";
import { move } from "../tools/move.ts";
import { read } from "../tools/read.ts";
import { redo } from "../tools/redo.ts";
import { undo } from "../tools/undo.ts";
import { write } from "../tools/write.ts";
import { openBench, type Bench } from "./call-tool.ts";

/** A call that is tried on a disk that fails. */
export interface FaultScenario {
  readonly name: string;
  readonly tool: Tool<never, unknown, never>;
  readonly input: object;
  /** Calls before it, on a disk that is whole. */
  readonly before?: readonly (readonly [tool: Tool<never, unknown, never>, input: object])[];
}

const any = (tool: unknown): FaultScenario["tool"] => tool as FaultScenario["tool"];

const PATCH = [
  "*** Begin Patch",
  "*** Add File: made/deep/new.txt",
  "+brand",
  "+new",
  "*** Update File: a.txt",
  "@@",
  " one",
  "-two",
  "+TWO",
  " three",
  "*** Delete File: gone.txt",
  "*** Update File: b.txt",
  "*** Move to: moved/b.txt",
  "@@",
  "-bee",
  "+BEE",
  "*** End Patch",
].join("\n");

const seen = [any(read), { file_paths: ["a.txt", "b.txt", "gone.txt", "link.txt"] }] as const;
const changes = [
  { name: "write a new file", tool: any(write), input: { path: "made/deep/new.txt", content: "brand\nnew\n" } },
  {
    name: "write over a file",
    tool: any(write),
    input: { path: "a.txt", content: "all new\n", mode: "overwrite" },
    before: [seen],
  },
  { name: "append", tool: any(write), input: { path: "a.txt", content: "four\n", mode: "append" }, before: [seen] },
  {
    name: "write through a link",
    tool: any(write),
    input: { path: "link.txt", content: "all new\n", mode: "overwrite" },
    before: [seen],
  },
  { name: "edit", tool: any(edit), input: { path: "a.txt", edits: [{ old_text: "two", new_text: "TWO" }] } },
  { name: "apply_patch of four files", tool: any(applyPatch), input: { patch: PATCH }, before: [seen] },
  { name: "move a file", tool: any(move), input: { from: "a.txt", to: "made/a.txt" } },
  { name: "move a folder", tool: any(move), input: { from: "tree", to: "made/tree" } },
  { name: "move over a file", tool: any(move), input: { from: "a.txt", to: "b.txt", overwrite: true } },
  { name: "copy a tree", tool: any(copy), input: { from: "tree", to: "made/tree", recursive: true } },
  { name: "copy over a file", tool: any(copy), input: { from: "a.txt", to: "b.txt", overwrite: true } },
  { name: "delete a tree and a file", tool: any(deleteTool), input: { paths: ["tree", "a.txt"], recursive: true } },
] satisfies readonly FaultScenario[];

/** What changes files, and the way back and forth of each. */
export const FAULT_SCENARIOS: readonly FaultScenario[] = changes.flatMap((one: FaultScenario) => {
  const { name, tool, input, before = [] } = one;
  const made = [...before, [tool, input] as const];
  return [
    one,
    { name: `undo of: ${name}`, tool: any(undo), input: {}, before: made },
    { name: `redo of: ${name}`, tool: any(redo), input: {}, before: [...made, [any(undo), {}] as const] },
  ];
});

/** A folder of files of several kinds, with the calls before the scenario's own made. */
export async function openScenario({ before = [] }: FaultScenario): Promise<Bench> {
  const bench = await openBench({
    "a.txt": "one\ntwo\nthree\n",
    "b.txt": "bee\n",
    "gone.txt": "gone\n",
    "tree/x.txt": "x\r\n",
    "tree/deep/y.txt": "y",
    "tree/deep/z.txt": "z",
    "tree/empty/": "",
  });
  const { path } = bench.folder;
  await symlink("a.txt", path("link.txt"));
  await symlink("x.txt", path("tree/link"));
  await chmod(path("a.txt"), 0o640);
  await chmod(path("tree/deep"), 0o750);
  for (const name of ["a.txt", "b.txt", "gone.txt", "tree/x.txt", "tree/deep/y.txt"])
    await utimes(path(name), 1_600_000_000, 1_600_000_000);
  for (const [tool, input] of before) await bench.ok(tool, input);
  return bench;
}
