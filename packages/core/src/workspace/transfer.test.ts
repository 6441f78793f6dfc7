import { execFileSync } from "node:child_process";
import * as disk from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ToolError } from "../errors/tool-error.ts";
import { faultyDisk, type Operation } from "./__fixtures__/faulty-disk.ts";
import { codeOf, failureOf } from "./__fixtures__/failure-of.ts";
import { RACE_PROTECTIONS } from "./__fixtures__/race-protections.ts";
import { openWorkspace, type Workspace } from "./workspace.ts";

let base: string;
let root: string;
let files: Workspace;

const at = (path: string): string => join(root, path);
const names = async (): Promise<string[]> => (await disk.readdir(root, { recursive: true })).toSorted();
const text = async (path: string): Promise<string> => await disk.readFile(at(path), "utf8");
const openFds = async (): Promise<number> => (await disk.readdir("/proc/self/fd")).length;

/** Between two folders nothing is renamed or linked, as between volumes. */
const betweenVolumes: Operation = (name, [from, to]) => {
  if (name !== "rename" && name !== "link") return undefined;
  return typeof from === "string" && typeof to === "string" && dirname(from) !== dirname(to) ? "EXDEV" : undefined;
};

describe.each(RACE_PROTECTIONS)("copying and moving, races %s", (_protection, options) => {
  beforeEach(async () => {
    base = await disk.realpath(await disk.mkdtemp(join(tmpdir(), "aiw-transfer-")));
    root = join(base, "app");
    await disk.mkdir(at("tree/sub/empty"), { recursive: true });
    await disk.mkdir(at("other"));
    await disk.writeFile(at("tree/a.txt"), "a\r\n");
    await disk.writeFile(at("tree/sub/run.sh"), "#!/bin/sh\n", { mode: 0o755 });
    await disk.symlink("sub/run.sh", at("tree/link"));
    await disk.symlink("/nowhere", at("tree/broken"));
    files = await openWorkspace({ cwd: root, roots: [root] }, options);
  });

  afterEach(async () => {
    await files[Symbol.asyncDispose]();
    await disk.rm(base, { recursive: true, force: true });
  });

  const reopen = async (fails: Operation, signal?: AbortSignal): Promise<Workspace> => {
    await files[Symbol.asyncDispose]();
    const how = { ...options, fileSystem: faultyDisk(fails), ...(signal && { signal }) };
    files = await openWorkspace({ cwd: root, roots: [root] }, how);
    return files;
  };

  describe("copy", () => {
    it("copies a file with its mode, and a link as a link", async () => {
      const { realPath, entries } = await files.copy("tree/sub/run.sh", "made/run.sh", { createDirs: true });
      expect([realPath, entries]).toEqual([at("made/run.sh"), 1]);
      expect((await disk.stat(realPath)).mode & 0o777).toBe(0o755);
      expect(await text("made/run.sh")).toBe("#!/bin/sh\n");
      await files.copy("tree/broken", "made/broken");
      expect(await disk.readlink(at("made/broken"))).toBe("/nowhere");
    });

    it("copies a tree with links as links, counts it, and says how far it is", async () => {
      const progress: number[] = [];
      const outcome = await files.copy("tree", "twin", {
        recursive: true,
        onProgress: (count) => progress.push(count),
      });
      expect(outcome).toEqual({ realPath: at("twin"), entries: 7 });
      expect(progress.toSorted((left, right) => left - right)).toEqual([1, 2, 3, 4, 5, 6, 7]);
      expect((await disk.readdir(at("twin"), { recursive: true })).toSorted()).toEqual(
        (await disk.readdir(at("tree"), { recursive: true })).toSorted(),
      );
      expect(await disk.readlink(at("twin/link"))).toBe("sub/run.sh");
      expect(await text("twin/a.txt")).toBe("a\r\n");
    });

    it("keeps the modes of folders, read-only ones too", async () => {
      await disk.chmod(at("tree/sub"), 0o500);
      await disk.chmod(at("tree"), 0o710);
      await files.copy("tree", "twin", { recursive: true });
      expect((await disk.stat(at("twin/sub"))).mode & 0o777).toBe(0o500);
      expect((await disk.stat(at("twin"))).mode & 0o777).toBe(0o710);
      await disk.chmod(at("tree/sub"), 0o700);
      await disk.chmod(at("twin/sub"), 0o700);
    });

    it("needs to be told to take a folder, to replace a file and to make folders", async () => {
      await disk.writeFile(at("b.txt"), "b");
      expect(await codeOf(files.copy("tree", "twin"))).toBe("not_a_file");
      expect(await codeOf(files.copy("tree/a.txt", "b.txt"))).toBe("already_exists");
      expect(await codeOf(files.copy("tree/a.txt", "x/y/b.txt"))).toBe("not_found");
      expect(await text("b.txt")).toBe("b");
      await files.copy("tree/a.txt", "b.txt", { overwrite: true });
      expect(await text("b.txt")).toBe("a\r\n");
      await files.copy("tree/a.txt", "tree/link", { overwrite: true });
      expect([await text("tree/link"), await text("tree/sub/run.sh")]).toEqual(["a\r\n", "#!/bin/sh\n"]);
    });

    it("never replaces a folder", async () => {
      for (const from of ["tree", "tree/a.txt"]) {
        const failed = await failureOf(files.copy(from, "other", { recursive: true, overwrite: true }));
        expect([failed.code, failed.details]).toEqual(["already_exists", { kind: "directory" }]);
      }
    });

    it("refuses a place inside itself, and its own", async () => {
      const before = await names();
      for (const to of ["tree", "tree/sub/twin", "tree/new/twin"]) {
        expect(await codeOf(files.copy("tree", to, { recursive: true, createDirs: true }))).toBe("invalid_path");
      }
      expect(await codeOf(files.copy("tree/a.txt", "./tree/a.txt", { overwrite: true }))).toBe("invalid_path");
      expect(await names()).toEqual(before);
    });

    it("anchors both ends (SEC-FS-10)", async () => {
      await disk.mkdir(join(base, "app-old"));
      await disk.writeFile(join(base, "app-old/secret"), "secret");
      await disk.symlink(join(base, "app-old"), at("door"));
      expect(await codeOf(files.copy("door/secret", "mine"))).toBe("outside_root");
      expect(await codeOf(files.copy("../app-old/secret", "mine"))).toBe("outside_root");
      expect(await codeOf(files.copy("tree/a.txt", "door/a.txt"))).toBe("outside_root");
      expect(await codeOf(files.copy("tree/a.txt", "../app-old/a.txt"))).toBe("outside_root");
      expect(await disk.readdir(join(base, "app-old"))).toEqual(["secret"]);
      await files.copy("door", "door2");
      expect(await disk.readlink(at("door2"))).toBe(join(base, "app-old"));
    });

    it.runIf(process.platform === "linux")("refuses FIFO, socket, device by name and makes nothing", async () => {
      execFileSync("mkfifo", [at("tree/sub/pipe")]);
      const server = createServer().listen(at("sock"));
      try {
        const failed = await failureOf(files.copy("tree", "twin", { recursive: true }));
        expect([failed.code, failed.details]).toEqual(["not_regular_file", { kind: "fifo", path: "tree/sub/pipe" }]);
        expect(await codeOf(files.copy("tree/sub/pipe", "pipe"))).toBe("not_regular_file");
        expect(await codeOf(files.copy("sock", "sock2"))).toBe("not_regular_file");
        expect((await disk.readdir(root)).toSorted()).toEqual(["other", "sock", "tree"]);
      } finally {
        server.close();
      }
    });

    it.each([".git", ".gitattributes", ".aiw"])("refuses a tree that holds %s (SEC-FS-9)", async (name) => {
      await disk.mkdir(at("tree/sub/.GIT"));
      await disk.rename(at("tree/sub/.GIT"), at(`tree/sub/${name}`));
      const before = await names();
      const failed = [
        await failureOf(files.copy("tree", "twin", { recursive: true })),
        await failureOf(files.rename("tree", "twin")),
        await failureOf(files.remove("tree", { recursive: true })),
      ];
      for (const { code: found, details } of failed) {
        expect([found, details]).toEqual(["protected_path", { protected: `tree/sub/${name}` }]);
      }
      expect(await names()).toEqual(before);
    });

    it("leaves nothing of a copy whose source changed while copying", async () => {
      let isChanged = false;
      await reopen((name) => {
        if (name === "handle.write" && !isChanged) {
          isChanged = true;
          execFileSync("sh", ["-c", 'echo more >> "$1"', "sh", at("tree/a.txt")]);
        }
        return undefined;
      });
      const failed = await failureOf(files.copy("tree/a.txt", "b.txt"));
      expect([failed.code, failed.details]).toEqual(["conflict", { path: "tree/a.txt" }]);
      isChanged = false;
      expect(await codeOf(files.copy("tree", "twin", { recursive: true }))).toBe("conflict");
      expect((await disk.readdir(root)).toSorted()).toEqual(["other", "tree"]);
    });

    it("leaves nothing of a copy that is aborted, and of one that fills the disk", async () => {
      const stop = new AbortController();
      await reopen((name) => {
        if (name === "handle.write") stop.abort(new Error("stopped"));
        return undefined;
      }, stop.signal);
      await expect(files.copy("tree", "twin", { recursive: true })).rejects.toThrow("stopped");
      expect((await disk.readdir(root)).toSorted()).toEqual(["other", "tree"]);
      await reopen((name) => (name === "handle.write" ? "ENOSPC" : undefined));
      expect(await codeOf(files.copy("tree", "twin", { recursive: true }))).toBe("no_space");
      expect((await disk.readdir(root)).toSorted()).toEqual(["other", "tree"]);
    });

    it("copies a large file in blocks", async () => {
      const bytes = Buffer.alloc(9 * 1024 * 1024 + 7, "0123456789\n");
      await disk.writeFile(at("large"), bytes);
      await files.copy("large", "twin");
      expect((await disk.readFile(at("twin"))).equals(bytes)).toBe(true);
    });
  });

  describe("rename", () => {
    it("refuses its own place, also when told to overwrite", async () => {
      expect(await codeOf(files.rename("tree/a.txt", "tree/a.txt", { overwrite: true }))).toBe("invalid_path");
      expect(await text("tree/a.txt")).toBe("a\r\n");
    });

    it("tells a new spelling of one name from two names of one file", async () => {
      await disk.link(at("tree/a.txt"), at("tree/A.txt"));
      expect(await codeOf(files.rename("tree/a.txt", "tree/A.txt"))).toBe("already_exists");
      expect((await files.rename("tree/a.txt", "tree/A.txt", { overwrite: true })).entries).toBe(1);
      expect((await disk.readdir(at("tree"))).toSorted()).toEqual(["A.txt", "broken", "link", "sub"]);
      await files.rename("tree/A.txt", "tree/a.TXT");
      await files.rename("tree", "Tree");
      expect(await text("Tree/a.TXT")).toBe("a\r\n");
    });

    it("counts what it moves", async () => {
      expect(await files.rename("tree", "other/tree")).toEqual({ realPath: at("other/tree"), entries: 7 });
    });
  });

  describe("a dry run", () => {
    it("counts, refuses what would be refused, and changes nothing", async () => {
      await disk.writeFile(at("b.txt"), "b");
      const before = await names();
      const dryRun = { dryRun: true };
      expect(await files.copy("tree", "x/y", { ...dryRun, recursive: true, createDirs: true })).toMatchObject({
        entries: 7,
      });
      expect(await files.rename("tree", "x", dryRun)).toEqual({ realPath: at("x"), entries: 7 });
      expect(await files.remove("tree", { ...dryRun, recursive: true })).toEqual({ removed: 7 });
      expect(await files.remove("tree/link", dryRun)).toEqual({ removed: 1 });
      expect(await codeOf(files.remove("tree", dryRun))).toBe("not_a_file");
      expect(await codeOf(files.copy("b.txt", "tree/a.txt", dryRun))).toBe("already_exists");
      expect(await codeOf(files.rename("b.txt", "tree/a.txt", dryRun))).toBe("already_exists");
      expect(await codeOf(files.rename("b.txt", "x/y", dryRun))).toBe("not_found");
      expect(await codeOf(files.copy("b.txt", "x/y", dryRun))).toBe("not_found");
      expect(await names()).toEqual(before);
    });
  });

  describe("rename between volumes", () => {
    const facts = async (path: string): Promise<unknown[]> => {
      const { mode, mtimeMs, uid } = await disk.lstat(at(path));
      return [mode, Math.round(mtimeMs), uid];
    };

    it("copies, compares and removes, and keeps modes and times", async () => {
      await disk.chmod(at("tree/a.txt"), 0o666);
      await disk.utimes(at("tree/a.txt"), 1_000_000_000, 1_000_000_000.25);
      await disk.utimes(at("tree/sub"), 1_000_000_000, 1_000_000_000);
      const before = [await facts("tree/a.txt"), await facts("tree/sub"), await facts("tree/sub/run.sh")];
      await reopen(betweenVolumes);
      expect(await files.rename("tree", "other/tree")).toEqual({ realPath: at("other/tree"), entries: 7 });
      expect([
        await facts("other/tree/a.txt"),
        await facts("other/tree/sub"),
        await facts("other/tree/sub/run.sh"),
      ]).toEqual(before);
      expect(await disk.readlink(at("other/tree/link"))).toBe("sub/run.sh");
      expect(await disk.readdir(root)).toEqual(["other"]);
    });

    it("moves files and links, and replaces only when told", async () => {
      await disk.writeFile(at("other/a.txt"), "old");
      await reopen(betweenVolumes);
      expect(await codeOf(files.rename("tree/a.txt", "other/a.txt"))).toBe("already_exists");
      expect([await text("other/a.txt"), await text("tree/a.txt")]).toEqual(["old", "a\r\n"]);
      await files.rename("tree/a.txt", "other/a.txt", { overwrite: true });
      await files.rename("tree/broken", "other/broken");
      expect([await text("other/a.txt"), await disk.readlink(at("other/broken"))]).toEqual(["a\r\n", "/nowhere"]);
      expect((await disk.readdir(at("tree"))).toSorted()).toEqual(["link", "sub"]);
    });

    it("leaves both ends as they were when the copy is not the same", async () => {
      const before = await names();
      let isChanged = false;
      await reopen((name, args) => {
        if (name === "rename" && String(args[1]).endsWith(".tmp") && !isChanged) {
          isChanged = true;
          execFileSync("sh", ["-c", 'echo more >> "$1"', "sh", at("tree/a.txt")]);
        }
        return betweenVolumes(name, args);
      });
      expect(await codeOf(files.rename("tree", "other/tree"))).toBe("conflict");
      expect(await names()).toEqual(before);
      expect(await text("tree/a.txt")).toBe("a\r\nmore\n");
    });

    it("says what is where when the source cannot all be removed", async () => {
      await reopen((name, args) =>
        name === "rmdir" && String(args[0]).endsWith("/sub") ? "EIO" : betweenVolumes(name, args),
      );
      const failed = await failureOf(files.rename("tree", "other/tree"));
      expect(failed.code).toBe("io_error");
      expect(failed.details).toMatchObject({ copied_to: "other/tree" });
      const left = String(failed.details?.["left_at"]);
      expect((await disk.lstat(at(left))).isDirectory()).toBe(true);
      expect(await text("other/tree/a.txt")).toBe("a\r\n");
    });

    it(
      "fails whole and leaves nothing, whichever operation before the removal fails",
      { timeout: 60_000 },
      async () => {
        const before = await names();
        for (let nth = 1; ; nth += 1) {
          let count = 0;
          let isFailed = false;
          await reopen((name, args) => {
            const errno = betweenVolumes(name, args);
            if (errno !== undefined) return errno;
            count += 1;
            isFailed ||= count === nth;
            return count === nth ? "EIO" : undefined;
          }).catch(() => undefined);
          const outcome = await files.rename("tree", "other/tree").then(
            () => "moved",
            (error: unknown) => error,
          );
          const descriptors = await openFds();
          if (outcome === "moved") {
            expect((await names()).filter((name) => name.endsWith(".tmp"))).toEqual([]);
            if (!isFailed) return;
          } else if (ToolError.is(outcome) && outcome.details?.["copied_to"] === "other/tree") {
            expect(await text("other/tree/sub/run.sh")).toBe("#!/bin/sh\n");
          } else {
            expect(await names(), `operation ${nth}`).toEqual(before);
          }
          expect(descriptors).toBeLessThan(64);
          await disk.rm(root, { recursive: true });
          await disk.mkdir(at("tree/sub/empty"), { recursive: true });
          await disk.mkdir(at("other"));
          await disk.writeFile(at("tree/a.txt"), "a\r\n");
          await disk.writeFile(at("tree/sub/run.sh"), "#!/bin/sh\n", { mode: 0o755 });
          await disk.symlink("sub/run.sh", at("tree/link"));
          await disk.symlink("/nowhere", at("tree/broken"));
        }
      },
    );

    it.runIf(process.platform === "linux")("moves to a volume that is really another", async ({ skip }) => {
      try {
        execFileSync("mount", ["-t", "tmpfs", "-o", "size=8m", "tmpfs", at("other")], { stdio: "ignore" });
      } catch {
        skip("no volume can be mounted here");
      }
      try {
        expect((await disk.stat(at("other"))).dev).not.toBe((await disk.stat(root)).dev);
        expect((await files.rename("tree", "other/tree")).entries).toBe(7);
        expect(await disk.readdir(root)).toEqual(["other"]);
        await files.rename("other/tree/sub/run.sh", "back.sh");
        expect((await disk.stat(at("back.sh"))).mode & 0o777).toBe(0o755);
        await disk.mkdir(at("holder/inner"), { recursive: true });
        expect(await codeOf(files.remove("other", { recursive: true }))).toBe("protected_path");
        expect(await codeOf(files.rename("other", "elsewhere"))).toBe("protected_path");
        await disk.writeFile(at("big"), Buffer.alloc(9 * 1024 * 1024));
        expect(await codeOf(files.rename("big", "other/big"))).toBe("no_space");
        expect((await disk.readdir(at("other"))).toSorted()).toEqual(["tree"]);
        expect((await disk.stat(at("big"))).size).toBe(9 * 1024 * 1024);
      } finally {
        execFileSync("umount", [at("other")]);
      }
    });

    it.runIf(process.platform === "linux")("refuses a folder mounted from the same volume", async ({ skip }) => {
      await disk.mkdir(at("holder/inner"), { recursive: true });
      try {
        execFileSync("mount", ["--bind", at("tree"), at("holder/inner")], { stdio: "ignore" });
      } catch {
        skip("nothing can be mounted here");
      }
      try {
        for (const attempt of [
          async () => await files.remove("holder", { recursive: true }),
          async () => await files.rename("holder", "moved"),
          async () => await files.copy("holder", "twin", { recursive: true }),
        ]) {
          expect((await failureOf(attempt())).details).toEqual({ mount: "holder/inner" });
        }
        expect(await text("tree/a.txt")).toBe("a\r\n");
      } finally {
        execFileSync("umount", [at("holder/inner")]);
      }
    });
  });
});
