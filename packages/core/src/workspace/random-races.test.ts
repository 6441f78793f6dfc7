import * as disk from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { ToolError } from "../errors/tool-error.ts";
import { startSwapper } from "./__fixtures__/swapper.ts";
import { openWorkspace, type Workspace } from "./workspace.ts";
import { runs, timeFor } from "../__fixtures__/property-runs.ts";

type Operation = (files: Workspace, path: string, other: string) => Promise<unknown>;

const text = new TextDecoder();
const operations: { readonly [name: string]: Operation } = {
  open: async (files, path) => {
    await using file = await files.open(path);
    return await file.handle.readFile("utf8");
  },
  readFile: async (files, path) => text.decode((await files.readFile(path, { maxBytes: 100 })).bytes),
  stat: async (files, path) => await files.stat(path),
  lstat: async (files, path) => await files.lstat(path),
  realPath: async (files, path) => await files.realPath(path),
  readdir: async (files, path) => await files.readdir(path, { facts: true }),
  create: async (files, path) => await files.writeFile(path, "written", { createDirs: true }),
  overwrite: async (files, path) => await files.writeFile(path, "written", { mode: "overwrite" }),
  append: async (files, path) => await files.writeFile(path, "+", { mode: "append" }),
  writeThrough: async (files, path) => await files.writeFile(path, "w", { mode: "overwrite", hardLinks: "keep" }),
  symlink: async (files, path, other) => await files.symlink(`../${other}`, path),
  mkdir: async (files, path) => await files.mkdir(path, { recursive: true }),
  remove: async (files, path) => await files.remove(path, { recursive: true }),
  rename: async (files, path, other) => await files.rename(path, other, { overwrite: true }),
  copy: async (files, path, other) => await files.copy(path, other, { overwrite: true, recursive: true }),
};

/** Everything below a folder, with what files hold; links are told, not followed, which a recursive readdir of Node would do. */
async function snapshot(folder: string): Promise<string[]> {
  const entries = await disk.readdir(folder, { withFileTypes: true });
  const lines = entries.map(async (entry) => {
    const path = join(folder, entry.name);
    const facts = await disk.lstat(path);
    const line = `${path} ${facts.mode} ${facts.mtimeMs} ${entry.isFile() ? await disk.readFile(path, "utf8") : ""}`;
    return [line, ...(entry.isDirectory() ? await snapshot(path) : [])];
  });
  return (await Promise.all(lines)).flat().toSorted();
}

async function makeWorld() {
  const base = await disk.realpath(await disk.mkdtemp(join(tmpdir(), "aiw-random-races-")));
  onTestFinished(async () => await disk.rm(base, { recursive: true, force: true }));
  const world = { root: join(base, "root"), outside: join(base, "outside"), grave: join(base, "grave") };
  const denied = join(world.root, "denied");
  await disk.mkdir(world.root);
  await disk.mkdir(world.grave);
  // The same names as inside, so that a path which escapes finds something there.
  for (const folder of ["", "a", "a/b", "b", "b/a", "c"]) {
    for (const place of [world.outside, denied]) {
      await disk.mkdir(join(place, folder), { recursive: true });
      await disk.writeFile(join(place, folder, "c-file"), "secret");
    }
  }
  for (const place of [world.outside, denied]) await disk.writeFile(join(place, "a/c"), "secret");
  const targets = [
    ".",
    "..",
    "a",
    "b/c",
    "../b",
    "../outside/a",
    world.outside,
    `${world.outside}/a`,
    `${world.root}/a`,
  ];
  return { ...world, denied, targets: [...targets, `${world.outside}/a/c`, denied, `${denied}/a`, "denied/a/c"] };
}

const names = fc.array(fc.constantFrom("a", "b", "c", "c-file"), { minLength: 1, maxLength: 3 });
const step = fc.record({ name: fc.constantFrom(...Object.keys(operations)), path: names, other: names });
const RUNS = runs(800);

describe.runIf(process.platform === "linux")("openWorkspace", () => {
  it.each(["closed", "narrowed"] as const)(
    "never escapes under random link, rename and swap races, and says only what tools may say, %s (SEC-FS-2, SEC-FS-8)",
    { timeout: timeFor(110_000) },
    async (protection) => {
      const { root, outside, denied, grave, targets } = await makeWorld();
      const before = [await snapshot(outside), await snapshot(denied)];
      const swapper = await startSwapper(root, grave, targets);
      const outcomes = new Map<string, number>();
      const workspace = { cwd: root, roots: [root], deny: ["denied"] };
      await using files = await openWorkspace(
        workspace,
        protection === "narrowed" ? { raceProtection: protection } : {},
      );
      let count = 0;
      const property = fc.asyncProperty(step, async ({ name, path, other }) => {
        // Copies into copies would grow without end.
        count += 1;
        if (count % 25 === 0) {
          for (const top of ["a", "b", "c"]) await files.remove(top, { recursive: true }).catch(() => undefined);
        }
        const outcome = await operations[name]?.(files, path.join("/"), other.join("/")).then(
          (value) => {
            // Where races are only narrowed, they may be lost.
            if (protection === "closed")
              expect(`${JSON.stringify(value)}`, `${JSON.stringify(value)}`).not.toMatch(
                new RegExp(`secret|${outside}|/denied`, "u"),
              );
            return "done";
          },
          (error: unknown) => {
            if (!ToolError.is(error)) throw error;
            expect(error.message).not.toContain(outside);
            return error.code;
          },
        );
        outcomes.set(outcome ?? "", (outcomes.get(outcome ?? "") ?? 0) + 1);
      });
      try {
        await fc.assert(property, {
          numRuns: protection === "closed" ? RUNS : Math.min(RUNS, 500),
          endOnFailure: true,
        });
      } finally {
        expect(await swapper.end(), "changes").toBeGreaterThan(500);
      }
      if (protection === "closed") {
        expect([await snapshot(outside), await snapshot(denied)]).toEqual(before);
        const inside = (await snapshot(root)).filter((line) => !line.startsWith(denied));
        expect(inside.filter((line) => line.includes("secret"))).toEqual([]);
      }
      expect(outcomes.get("done") ?? 0, JSON.stringify([...outcomes])).toBeGreaterThan(20);
      expect(outcomes.get("outside_root") ?? 0, JSON.stringify([...outcomes])).toBeGreaterThan(0);
    },
  );
});
