import * as disk from "node:fs/promises";
import { constants, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ToolError } from "../errors/tool-error.ts";
import { faultyDisk, type Operation } from "./__fixtures__/faulty-disk.ts";
import { openWorkspace, type OpenWorkspaceOptions, type Workspace } from "./workspace.ts";

let root: string;
let base: string;
const at = (path: string): string => join(root, path);
const text = async (path: string): Promise<string | undefined> =>
  await disk.readFile(at(path), "utf8").catch(() => undefined);
const openFds = async (): Promise<string[]> => {
  const fds = await disk.readdir("/proc/self/fd");
  const targets = await Promise.all(fds.map(async (fd) => await disk.readlink(`/proc/self/fd/${fd}`).catch(() => "")));
  return targets.filter((target) => target.startsWith(root));
};

async function prepare(): Promise<void> {
  root = await disk.mkdtemp(join(base, "root-"));
  await disk.mkdir(at("dir/sub"), { recursive: true });
  await disk.writeFile(at("dir/file"), "old");
  await disk.writeFile(at("dir/sub/x"), "x");
  await disk.symlink("dir/file", at("link"));
}

// A test that ran out of time still makes folders: without this one it cannot.
beforeAll(async () => {
  base = await disk.realpath(await disk.mkdtemp(join(tmpdir(), "aiw-faults-")));
});
afterAll(async () => await disk.rm(base, { recursive: true, force: true }));
beforeEach(prepare);
afterEach(async () => await disk.rm(root, { recursive: true, force: true }));

interface Scenario {
  readonly run: (files: Workspace) => Promise<unknown>;
  /** What must hold after success, and after failure. */
  readonly after: (succeeded: boolean) => Promise<void>;
}

const oldOrNew = (path: string, before: string | undefined, now: string) => async (succeeded: boolean) => {
  expect(await text(path)).toBe(succeeded ? now : before);
};

const scenarios: { readonly [name: string]: Scenario } = {
  "a read": {
    run: async (files) => await files.readFile("link", { maxBytes: 10 }),
    after: oldOrNew("dir/file", "old", "old"),
  },
  "a listing": { run: async (files) => await files.readdir("dir", { facts: true }), after: async () => {} },
  "a creation": {
    run: async (files) => await files.writeFile("dir/new", "new"),
    after: oldOrNew("dir/new", undefined, "new"),
  },
  "a creation with parents": {
    run: async (files) => await files.writeFile("p/q/new", "new", { createDirs: true }),
    after: oldOrNew("p/q/new", undefined, "new"),
  },
  "an overwrite through a link": {
    run: async (files) => await files.writeFile("link", "new", { mode: "overwrite" }),
    after: oldOrNew("dir/file", "old", "new"),
  },
  "an append": {
    run: async (files) => await files.writeFile("dir/file", "+", { mode: "append" }),
    after: oldOrNew("dir/file", "old", "old+"),
  },
  "a move": {
    run: async (files) => await files.rename("dir/file", "moved"),
    async after(succeeded) {
      expect([await text("dir/file"), await text("moved")]).toEqual(
        succeeded ? [undefined, "old"] : ["old", undefined],
      );
    },
  },
  "a move of a folder": {
    run: async (files) => await files.rename("dir", "moved"),
    async after(succeeded) {
      expect([await text("dir/sub/x"), await text("moved/sub/x")]).toEqual(
        succeeded ? [undefined, "x"] : ["x", undefined],
      );
      if (!succeeded) await expect(disk.lstat(at("moved"))).rejects.toThrow("ENOENT");
    },
  },
  "a copy": {
    run: async (files) => await files.copy("dir/file", "p/copied", { createDirs: true }),
    after: oldOrNew("p/copied", undefined, "old"),
  },
  "a copy over a file": {
    run: async (files) => await files.copy("dir/sub/x", "dir/file", { overwrite: true }),
    after: oldOrNew("dir/file", "old", "x"),
  },
  "a copy of a folder": {
    run: async (files) => await files.copy("dir", "copied", { recursive: true }),
    async after(succeeded) {
      expect([await text("dir/sub/x"), await text("copied/sub/x")]).toEqual(["x", succeeded ? "x" : undefined]);
      if (!succeeded) await expect(disk.lstat(at("copied"))).rejects.toThrow("ENOENT");
    },
  },
  "a removal": {
    run: async (files) => await files.remove("dir", { recursive: true }),
    after: async (succeeded) => expect((await disk.readdir(root)).includes("dir")).toBe(!succeeded),
  },
};

const ways: readonly (readonly [string, OpenWorkspaceOptions])[] = [
  ["closed", {}],
  ["narrowed", { raceProtection: "narrowed" }],
];

describe.runIf(process.platform === "linux").each(ways)(
  "openWorkspace on a failing disk, races %s",
  (_protection, options) => {
    it.each(Object.keys(scenarios))(
      "%s fails whole and leaves nothing, whichever operation fails",
      { timeout: 30_000 },
      async (name) => {
        const scenario = scenarios[name];
        let untouched = false;
        for (let nth = 1; !untouched && nth < 400; nth += 1) {
          await disk.rm(root, { recursive: true, force: true });
          await prepare();
          let count = 0;
          let failing: string | undefined;
          const fileSystem = faultyDisk((operation) => {
            count += 1;
            if (count !== nth) return undefined;
            failing = operation;
            return "EIO";
          });
          const succeeded = await openWorkspace({ cwd: root, roots: [root] }, { ...options, fileSystem }).then(
            async (files) => {
              try {
                await scenario?.run(files);
                return true;
              } catch (error) {
                expect(ToolError.is(error) && error.code, failing).toBe("io_error");
                return false;
              } finally {
                await files[Symbol.asyncDispose]();
              }
            },
            (error: unknown) => {
              expect(ToolError.is(error) && error.code).toBe("io_error");
              return false;
            },
          );
          untouched = failing === undefined;
          await scenario?.after(succeeded);
          expect(await openFds(), `descriptors after ${failing}`).toEqual([]);
          expect(
            (await disk.readdir(root, { recursive: true })).filter((path) => path.endsWith(".tmp")),
            `after ${failing}`,
          ).toEqual([]);
        }
        expect(untouched).toBe(true);
      },
    );

    const workspace = async (fails: Operation): Promise<Workspace> => {
      return await openWorkspace({ cwd: root, roots: [root] }, { ...options, fileSystem: faultyDisk(fails) });
    };
    const isCreation = (name: string, args: readonly unknown[]): boolean => {
      return name === "open" && typeof args[1] === "number" && (args[1] & constants.O_CREAT) !== 0;
    };

    it("tells a full disk from other failures", async () => {
      await using files = await workspace((name) => (name === "handle.write" ? "ENOSPC" : undefined));
      await expect(files.writeFile("dir/file", "new", { mode: "overwrite" })).rejects.toMatchObject({
        code: "no_space",
      });
      await expect(files.writeFile("dir/new", "new")).rejects.toMatchObject({ code: "no_space" });
      expect(await text("dir/file")).toBe("old");
    });

    it.each([
      [
        "its directory cannot be written",
        (name: string, args: readonly unknown[]) => (isCreation(name, args) ? "EACCES" : undefined),
      ],
      ["it is mounted by itself", (name: string) => (name === "rename" ? "EBUSY" : undefined)],
    ])("writes a file in place when %s", async (_why, fails) => {
      await using files = await workspace(fails);
      const before = await disk.stat(at("dir/file"));
      const outcome = await files.writeFile("dir/file", "new, longer", { mode: "overwrite", executable: true });
      expect(outcome).toMatchObject({ created: false, bytesWritten: 11, notices: ["written_in_place"] });
      expect(outcome.etag).toBe((await files.readFile("dir/file", { maxBytes: 99 })).etag);
      await files.writeFile("dir/file", "x", { mode: "overwrite" });
      await files.writeFile("dir/file", "yz", { mode: "append" });
      expect(await text("dir/file")).toBe("xyz");
      const after = await disk.stat(at("dir/file"));
      expect([after.ino, after.mode & 0o111]).toEqual([before.ino, 0o111]);
      await disk.link(at("dir/file"), at("twin"));
      await expect(files.writeFile("dir/file", "through", { mode: "overwrite" })).rejects.toMatchObject({
        code: "permission_denied",
      });
      expect(await text("twin")).toBe("xyz");
      expect((await disk.readdir(at("dir"))).toSorted()).toEqual(["file", "sub"]);
    });

    it("puts the old bytes back when writing in place fails half-way", async () => {
      let writes = 0;
      await using files = await workspace((name, args) => {
        if (isCreation(name, args)) return "EACCES";
        if (name !== "handle.sync") return undefined;
        writes += 1;
        return writes === 1 ? "EIO" : undefined;
      });
      await expect(files.writeFile("dir/file", "n", { mode: "overwrite" })).rejects.toMatchObject({ code: "io_error" });
      expect(await text("dir/file")).toBe("old");
    });

    it("creates and moves exclusively where hard links are unknown", async () => {
      await using files = await workspace((name) => (name === "link" ? "EPERM" : undefined));
      await files.writeFile("dir/new", "new");
      await expect(files.writeFile("dir/new", "again")).rejects.toMatchObject({ code: "already_exists" });
      await files.rename("dir/new", "moved");
      await expect(files.rename("dir/file", "moved")).rejects.toMatchObject({ code: "already_exists" });
      expect([await text("moved"), await text("dir/file")]).toEqual(["new", "old"]);
      expect(await disk.readdir(at("dir"))).toEqual(["file", "sub"]);
    });

    it("says when the new name may not survive a crash", async () => {
      let synced = 0;
      await using files = await workspace((name) => {
        if (name !== "handle.sync") return undefined;
        synced += 1;
        return synced === 2 ? "EIO" : undefined;
      });
      expect((await files.writeFile("dir/file", "new", { mode: "overwrite" })).notices).toEqual(["durability_unknown"]);
    });

    it("replaces nothing that changed between reading and renaming", async () => {
      await using files = await workspace((name) => {
        if (name === "handle.sync") writeFileSync(at("dir/file"), "theirs");
        return undefined;
      });
      await expect(files.writeFile("dir/file", "mine", { mode: "overwrite" })).rejects.toMatchObject({
        code: "conflict",
      });
      expect(await text("dir/file")).toBe("theirs");
    });
  },
);

describe.runIf(process.platform === "linux")("openWorkspace, races narrowed", () => {
  /** Exchanges a folder for a link to the outside just before one operation of the disk. */
  async function exchangedBefore(isMoment: Operation): Promise<{ files: Workspace; outside: string }> {
    const outside = `${root}-outside`;
    await disk.rm(outside, { recursive: true, force: true });
    await disk.mkdir(outside);
    await disk.writeFile(join(outside, "file"), "secret");
    let isExchanged = false;
    const fileSystem = faultyDisk((name, args) => {
      if (isExchanged || isMoment(name, args) === undefined) return undefined;
      isExchanged = true;
      renameSync(at("dir"), at("dir.keep"));
      symlinkSync(outside, at("dir"));
      return undefined;
    });
    return {
      files: await openWorkspace({ cwd: root, roots: [root] }, { raceProtection: "narrowed", fileSystem }),
      outside,
    };
  }

  it.each(["readFile", "overwrite", "create"])(
    "notices at %s that what it opened is not what it checked (SEC-FS-11)",
    async (operation) => {
      const { files, outside } = await exchangedBefore((name, args) => {
        return name === "open" && (operation !== "create" || typeof args[2] === "number") ? "now" : undefined;
      });
      try {
        const work =
          operation === "readFile"
            ? files.readFile("dir/file", { maxBytes: 99 })
            : files.writeFile(operation === "create" ? "dir/new" : "dir/file", "mine", {
                mode: operation === "create" ? "create" : "overwrite",
              });
        await expect(work).rejects.toMatchObject({ code: "path_changed" });
        expect(await disk.readdir(outside)).toEqual(["file"]);
        expect(await disk.readFile(join(outside, "file"), "utf8")).toBe("secret");
      } finally {
        await files[Symbol.asyncDispose]();
        await disk.rm(outside, { recursive: true });
      }
    },
  );

  it("notices a file exchanged for another in the same folder", async () => {
    let isExchanged = false;
    const fileSystem = faultyDisk((name) => {
      if (name !== "open" || isExchanged) return undefined;
      isExchanged = true;
      writeFileSync(at("dir/other"), "other");
      renameSync(at("dir/other"), at("dir/file"));
      return undefined;
    });
    await using files = await openWorkspace({ cwd: root, roots: [root] }, { raceProtection: "narrowed", fileSystem });
    await expect(files.readFile("dir/file", { maxBytes: 99 })).rejects.toMatchObject({ code: "path_changed" });
  });
});
