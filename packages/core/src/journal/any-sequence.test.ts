import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ToolError } from "../errors/tool-error.ts";
import { openWorkspace } from "../workspace/workspace.ts";
import type { PlannedChange } from "./change-request.ts";
import { openChangeJournal } from "./open-change-journal.ts";
import { runs, timeFor } from "../__fixtures__/property-runs.ts";

const RUNS = runs(40);

/** Names so few that changes meet. */
const path = fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));
const content = fc.uint8Array({ maxLength: 20 });
const change: fc.Arbitrary<PlannedChange> = fc.oneof(
  fc.record({
    op: fc.constant("write" as const),
    path,
    content,
    options: fc.record(
      {
        mode: fc.constantFrom("create" as const, "overwrite" as const, "append" as const),
        createDirs: fc.boolean(),
        executable: fc.boolean(),
      },
      { requiredKeys: ["mode", "createDirs"] },
    ),
  }),
  fc.record({
    op: fc.constant("move" as const),
    from: path,
    to: path,
    overwrite: fc.boolean(),
    createDirs: fc.boolean(),
  }),
  fc.record({
    op: fc.constant("copy" as const),
    from: path,
    to: path,
    overwrite: fc.boolean(),
    createDirs: fc.boolean(),
    recursive: fc.constantFrom(true, true, false),
  }),
  fc.record({ op: fc.constant("delete" as const), path, recursive: fc.constantFrom(true, true, false) }),
);
const groups = fc.array(fc.array(change, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 8 });

async function plant(root: string): Promise<void> {
  await mkdir(join(root, "a/b"), { recursive: true });
  await writeFile(join(root, "a/a"), "first\r\n");
  await writeFile(join(root, "a/b/c"), "\ufeffsecond");
  await writeFile(join(root, "b"), "third", { mode: 0o755 });
  await symlink("a/a", join(root, "c"));
  await symlink("../nowhere", join(root, "a/c"));
  await chmod(join(root, "a/a"), 0o600);
  for (const name of ["a/a", "a/b/c", "b"]) await utimes(join(root, name), 1_500_000_000, 1_500_000_000);
}

/** All there is of a tree: kinds, bytes, bits, times of files to the millisecond, texts of links. */
async function snapshot(root: string): Promise<string[]> {
  const names = await readdir(root, { recursive: true });
  const lines = names.toSorted().map(async (name) => {
    const stat = await lstat(join(root, name));
    if (stat.isSymbolicLink()) return `${name} -> ${await readlink(join(root, name))}`;
    const mode = (stat.mode & 0o7777).toString(8);
    if (stat.isDirectory()) return `${name}/ ${mode}`;
    return `${name} ${mode} ${Math.round(stat.mtimeMs)} ${await readFile(join(root, name), "hex")}`;
  });
  return await Promise.all(lines);
}

/** The same bytes come back by a detour, and with them another time. */
const detour: PlannedChange[] = [
  { op: "copy", from: "b", to: "c", overwrite: true, recursive: true },
  { op: "copy", from: "c", to: "b", overwrite: true, recursive: true },
];
/** What was copied lies elsewhere when its bytes are to be kept for making it again. */
const carried: PlannedChange[][] = [
  [{ op: "delete", path: "c" }],
  [{ op: "copy", from: "a", to: "c", recursive: true }],
  [{ op: "move", from: "c", to: "a/b/a" }],
];
/** A link that leads nowhere, or elsewhere, stands where a folder is to come back. */
const linked: PlannedChange[] = [
  { op: "delete", path: "a", recursive: true },
  { op: "copy", from: "c", to: "a" },
];
const refused: PlannedChange = { op: "copy", from: "a", to: "a", recursive: true };

describe("any sequence of changes", { timeout: timeFor(600_000) }, () => {
  it("gives the original tree when all is undone, and the final one when all is made again", async () => {
    await fc.assert(
      fc.asyncProperty(groups, fc.boolean(), async (calls, inMemory) => {
        const base = await mkdtemp(join(tmpdir(), "aiw-sequence-"));
        try {
          const root = join(base, "root");
          await plant(root);
          const history = inMemory ? ("memory" as const) : ("disk" as const);
          const workspace = { cwd: root, roots: [root], history };
          await using opened = await openWorkspace(workspace);
          const journal = await openChangeJournal({ workspace, sessionId: "s", folder: join(base, "state") });
          const before = await snapshot(root);
          let made = 0;
          for (const changes of calls) {
            const then = await snapshot(root);
            const outcome = await journal
              .apply(opened, { tool: "t", title: "t", callId: "c", changes })
              .catch((error: unknown) => error);
            if (outcome instanceof Error) {
              expect(ToolError.is(outcome), String(outcome.stack)).toBe(true);
              expect(await snapshot(root)).toEqual(then);
            } else if ((outcome as { groupId: string }).groupId !== "") made += 1;
          }
          const after = await snapshot(root);
          if (made === 0) return;
          expect((await journal.revert(opened, { direction: "undo", count: made })).conflicts).toEqual([]);
          expect(await snapshot(root)).toEqual(before);
          expect((await journal.revert(opened, { direction: "redo", count: made })).conflicts).toEqual([]);
          expect(await snapshot(root)).toEqual(after);
          for (let left = made; left > 0; left -= 1) await journal.revert(opened, { direction: "undo" });
          expect(await snapshot(root)).toEqual(before);
        } finally {
          await rm(base, { recursive: true, force: true });
        }
      }),
      {
        numRuns: RUNS,
        examples: [
          [[[...detour, refused]], false],
          [[detour], false],
          [carried, false],
          [[linked], false],
        ],
      },
    );
  });
});
