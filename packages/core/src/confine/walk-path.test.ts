import * as disk from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ToolError } from "../errors/tool-error.ts";
import { openWorkspace, type Workspace } from "../workspace/workspace.ts";
import { runs, timeFor } from "../__fixtures__/property-runs.ts";

/** A tree as data: a string is a file's content, `to` a link, anything else a directory. */
type Node = string | { readonly to: string } | Map<string, Node>;
type Walked = { readonly file: string } | { readonly fails: string };

const NAMES = ["a", "b", "c"] as const;
let base: string;
let count = 0;

// Every write waits for the disk.
vi.setConfig({ testTimeout: timeFor(60_000), hookTimeout: 60_000 });

beforeAll(async () => {
  base = await disk.realpath(await disk.mkdtemp(join(tmpdir(), "aiw-links-")));
});
afterAll(async () => {
  await disk.rm(base, { recursive: true, force: true });
});

const target = fc.oneof(
  fc.array(fc.constantFrom(...NAMES, "..", "."), { minLength: 1, maxLength: 4 }).map((names) => names.join("/")),
  fc.array(fc.constantFrom(...NAMES, ".."), { maxLength: 3 }).map((names) => ["@root", ...names].join("/")),
  fc.constantFrom("@out/secret", "@out", "/", "../../root/a", "../root/a/b", "../../out/secret", "@root-twin/a"),
);
const { tree } = fc.letrec<{ tree: Map<string, Node>; node: Node }>((tie) => ({
  tree: fc.array(fc.tuple(fc.constantFrom(...NAMES), tie("node")), { maxLength: 3 }).map((entries) => new Map(entries)),
  node: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom("one", "two"),
    target.map((to) => ({ to })),
    tie("tree"),
  ),
}));

/** What POSIX does, written down naively, with the whole world in memory and a fence around the root. */
function walkModel(world: Map<string, Node>, fence: readonly string[], path: readonly string[]): Walked {
  let links = 0;
  const walk = (at: readonly string[], names: readonly string[]): Walked => {
    const inside = fence.every((name, index) => at[index] === name);
    if (!inside) return walkAbove(at, names);
    const node = nodeAt(world, at);
    if (node === undefined) return { fails: "not_found" };
    if (typeof node !== "string" && "to" in node) {
      links += 1;
      if (links > 40) return { fails: "invalid_path" };
      return walk(node.to.startsWith("/") ? [] : at.slice(0, -1), [...node.to.split("/").filter(isName), ...names]);
    }
    const [name, ...rest] = names;
    if (typeof node === "string") return name === undefined ? { file: node } : { fails: "not_a_directory" };
    return name === undefined ? { fails: "not_a_file" } : walk(step(at, name), rest);
  };
  const walkAbove = (at: readonly string[], [name, ...rest]: readonly string[]): Walked => {
    const leadsIn = at.every((part, index) => fence[index] === part);
    return leadsIn && name !== undefined ? walk(step(at, name), rest) : { fails: "outside_root" };
  };
  return walk([], path);
}

/** `x/.` and `x/` are `x` here, also where POSIX wants a directory. */
function isName(name: string): boolean {
  return name !== "" && name !== ".";
}

function step(at: readonly string[], name: string): readonly string[] {
  return name === ".." ? at.slice(0, -1) : [...at, name];
}

function nodeAt(world: Map<string, Node>, at: readonly string[]): Node | undefined {
  let node: Node | undefined = world;
  for (const name of at) node = node instanceof Map ? node.get(name) : undefined;
  return node;
}

async function build(folder: string, nodes: Map<string, Node>): Promise<void> {
  await disk.mkdir(folder, { recursive: true });
  for (const [name, node] of nodes) {
    const path = join(folder, name);
    if (typeof node === "string") await disk.writeFile(path, node);
    else if (node instanceof Map) await build(path, node);
    else await disk.symlink(node.to, path);
  }
}

function place(nodes: Map<string, Node>, world: string): Map<string, Node> {
  const entries = [...nodes].map(([name, node]): [string, Node] => {
    if (typeof node === "string") return [name, node];
    if (node instanceof Map) return [name, place(node, world)];
    return [name, { to: node.to.startsWith("@") ? `${world}/${node.to.slice(1)}` : node.to }];
  });
  return new Map(entries);
}

function nest(names: readonly string[], node: Node): Map<string, Node> {
  return names.reduceRight<Node>((below, name) => new Map([[name, below]]), node) as Map<string, Node>;
}

describe("walkPath", () => {
  it.each(["closed", "narrowed"])(
    "goes where the model goes, through generated trees of links, %s (SEC-FS-3)",
    async (protection) => {
      const names = fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 4 });
      const seen = new Map<string, number>();
      await fc.assert(
        fc.asyncProperty(tree, fc.array(names, { minLength: 1, maxLength: 6 }), async (generated, paths) => {
          count += 1;
          const world = join(base, String(count));
          const nodes = place(generated, world);
          const out = new Map<string, Node>([["secret", "secret"]]);
          await build(join(world, "root"), nodes);
          await build(join(world, "out"), out);
          const at = world.split("/").filter((name) => name !== "");
          const model = nest(
            at,
            new Map<string, Node>([
              ["root", nodes],
              ["out", out],
            ]),
          );
          await using files = await openWorkspace(
            { cwd: join(world, "root"), roots: [join(world, "root")] },
            protection === "narrowed" ? { raceProtection: "narrowed" } : {},
          );
          for (const path of paths) {
            const expected = walkModel(model, [...at, "root"], [...at, "root", ...path]);
            const actual = await files.readFile(path.join("/"), { maxBytes: 100 }).then(
              ({ bytes }): Walked => ({ file: new TextDecoder().decode(bytes) }),
              (error: unknown): Walked => ({ fails: ToolError.is(error) ? error.code : String(error) }),
            );
            expect(actual, path.join("/")).toEqual(expected);
            const outcome = "file" in actual ? "file" : actual.fails;
            seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
          }
          await disk.rm(world, { recursive: true });
        }),
        { numRuns: runs(250) },
      );
      for (const outcome of ["file", "outside_root", "not_found", "not_a_file", "not_a_directory"]) {
        expect(seen.get(outcome) ?? 0, outcome).toBeGreaterThan(0);
      }
    },
  );

  it.each(["closed", "narrowed"])(
    "lets no writing operation reach outside, whatever the links, %s (SEC-FS-10)",
    async (protection) => {
      const path = fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));
      const mode = fc.constantFrom("create", "overwrite", "append");
      const act = fc.oneof(
        fc.record({ kind: fc.constant("write"), path, mode, createDirs: fc.boolean() }),
        fc.record({ kind: fc.constant("mkdir"), path, recursive: fc.boolean() }),
        fc.record({ kind: fc.constant("remove"), path, recursive: fc.boolean() }),
        fc.record({ kind: fc.constant("rename"), path, to: path, overwrite: fc.boolean(), createDirs: fc.boolean() }),
      );
      const run = async (files: Workspace, step: Act): Promise<unknown> => {
        const { kind, path: at, to, ...how } = step;
        if (kind === "write") return await files.writeFile(at, "written", how);
        if (kind === "mkdir") return await files.mkdir(at, how);
        return kind === "remove" ? await files.remove(at, how) : await files.rename(at, to ?? at, how);
      };
      const seen = new Map<string, number>();
      await fc.assert(
        fc.asyncProperty(tree, fc.array(act, { minLength: 1, maxLength: 8 }), async (generated, steps) => {
          count += 1;
          const world = join(base, String(count));
          await build(join(world, "root"), place(generated, world));
          for (const beside of ["out", "root-twin", "a", "b"]) {
            await build(
              join(world, beside),
              new Map<string, Node>([
                ["secret", "secret"],
                ["a", "secret"],
                ["b", new Map()],
              ]),
            );
          }
          const before = await outsideOf(world);
          await using files = await openWorkspace(
            { cwd: join(world, "root"), roots: [join(world, "root")] },
            protection === "narrowed" ? { raceProtection: "narrowed" } : {},
          );
          for (const step of steps) {
            const outcome = await run(files, step).then(
              () => "done",
              (error: unknown) => (ToolError.is(error) ? error.code : String(error)),
            );
            expect(["done", ...FAILURES]).toContain(outcome);
            seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
          }
          expect(await outsideOf(world)).toEqual(before);
          await disk.rm(world, { recursive: true });
        }),
        { numRuns: runs(100) },
      );
      for (const outcome of ["done", "outside_root"]) expect(seen.get(outcome) ?? 0, outcome).toBeGreaterThan(0);
    },
  );
});

const FAILURES = [
  "outside_root",
  "not_found",
  "not_a_file",
  "not_a_directory",
  "already_exists",
  "invalid_path",
  "protected_path",
];

interface Act {
  readonly kind: string;
  readonly path: string;
  readonly to?: string;
  readonly mode?: "create" | "overwrite" | "append";
  readonly recursive?: boolean;
  readonly overwrite?: boolean;
  readonly createDirs?: boolean;
}

/** Everything beside the root: names, kinds, times and content. */
async function outsideOf(world: string): Promise<string[]> {
  const lines = (await disk.readdir(world)).toSorted();
  for (const folder of lines.filter((name) => name !== "root")) {
    for (const name of (await disk.readdir(join(world, folder))).toSorted()) {
      const path = join(world, folder, name);
      const facts = await disk.lstat(path);
      const content = facts.isFile() ? await disk.readFile(path, "utf8") : (await disk.readdir(path)).join();
      lines.push(`${path} ${facts.mode} ${facts.mtimeMs} ${content}`);
    }
  }
  return lines;
}
