import * as disk from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { faultyDisk } from "./__fixtures__/faulty-disk.ts";
import { openWorkspace } from "./workspace.ts";
import { runs, timeFor } from "../__fixtures__/property-runs.ts";

type Node =
  | { readonly kind: "file"; readonly bytes: Uint8Array; readonly mode: number }
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "folder"; readonly mode: number; readonly children: { readonly [name: string]: Node } };

const name = fc.constantFrom("a", "b c", "é", "-x", "~", "[id]", "a.txt", "\u202e", "$&", "'\"");
const { tree } = fc.letrec<{ tree: Node; node: Node }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    fc.record({
      kind: fc.constant("file" as const),
      bytes: fc.uint8Array({ maxLength: 300 }),
      mode: fc.constantFrom(0o644, 0o600, 0o755, 0o444),
    }),
    fc.record({ kind: fc.constant("link" as const), target: fc.constantFrom("a", "..", "/etc", "gone", ".", "../a") }),
    tie("tree"),
  ),
  tree: fc.record({
    kind: fc.constant("folder" as const),
    mode: fc.constantFrom(0o755, 0o700, 0o750),
    children: fc.dictionary(name, tie("node"), { maxKeys: 4 }),
  }),
}));

let base: string;

beforeAll(async () => {
  base = await disk.realpath(await disk.mkdtemp(join(tmpdir(), "aiw-copies-")));
});
afterAll(async () => await disk.rm(base, { recursive: true, force: true }));

async function make(path: string, node: Node): Promise<void> {
  if (node.kind === "link") return await disk.symlink(node.target, path);
  if (node.kind === "file") await disk.writeFile(path, node.bytes);
  else {
    await disk.mkdir(path);
    for (const [child, below] of Object.entries(node.children)) await make(join(path, child), below);
  }
  await disk.chmod(path, node.mode);
}

async function look(path: string): Promise<string[]> {
  const facts = await disk.lstat(path);
  if (facts.isSymbolicLink()) return [`link ${await disk.readlink(path)}`];
  const mode = (facts.mode & 0o777).toString(8);
  if (facts.isFile()) return [`${mode} ${(await disk.readFile(path)).toString("hex")}`];
  const children = (await disk.readdir(path)).toSorted();
  const below = await Promise.all(
    children.map(async (child) => (await look(join(path, child))).map((line) => `${child}/${line}`)),
  );
  return [mode, ...below.flat()];
}

describe.runIf(process.platform !== "win32")("trees", () => {
  it("are the same after a copy, and after a move between volumes", { timeout: timeFor(600_000) }, async () => {
    const umask = process.umask(0o022);
    try {
      await fc.assert(
        fc.asyncProperty(tree, async (node) => {
          const root = await disk.mkdtemp(join(base, "root-"));
          await make(join(root, "source"), node);
          const before = await look(join(root, "source"));
          const fileSystem = faultyDisk((operation, [from, to]) => {
            if (operation !== "rename" && operation !== "link") return undefined;
            return dirname(String(from)) === dirname(String(to)) ? undefined : "EXDEV";
          });
          await using files = await openWorkspace({ cwd: root, roots: [root] }, { fileSystem });
          const { entries } = await files.copy("source", "copied", { recursive: true });
          expect(entries).toBe(before.length);
          expect(await look(join(root, "copied"))).toEqual(before);
          await files.rename("source", "other/place", { createDirs: true });
          expect(await look(join(root, "other/place"))).toEqual(before);
          expect((await disk.readdir(root)).toSorted()).toEqual(["copied", "other"]);
          await files.remove("other", { recursive: true });
          await files.remove("copied", { recursive: true });
          expect(await disk.readdir(root)).toEqual([]);
        }),
        { numRuns: runs(40) },
      );
    } finally {
      process.umask(umask);
    }
  });
});
