import { execFileSync } from "node:child_process";
import * as disk from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ToolError } from "../errors/tool-error.ts";
import { etagOfBytes, etagOfFile } from "./etag.ts";
import { codeOf, failureOf } from "./__fixtures__/failure-of.ts";
import { RACE_PROTECTIONS } from "./__fixtures__/race-protections.ts";
import { openWorkspace, type Workspace } from "./workspace.ts";

let base: string;
let root: string;
let outside: string;
let files: Workspace;

const text = async (path: string): Promise<string> => await disk.readFile(path, "utf8");
const read = async (path: string): Promise<string> => {
  return new TextDecoder().decode((await files.readFile(path, { maxBytes: 1_000_000 })).bytes);
};
const openFds = async (): Promise<number> => (await disk.readdir("/proc/self/fd")).length;

describe.each(RACE_PROTECTIONS)("openWorkspace, races %s", (protection, options) => {
  beforeEach(async () => {
    base = await disk.realpath(await disk.mkdtemp(join(tmpdir(), "aiw-workspace-")));
    root = join(base, "app");
    outside = join(base, "app-old");
    await disk.mkdir(join(root, "src"), { recursive: true });
    await disk.mkdir(outside);
    await disk.writeFile(join(root, "src", "a.ts"), "inside");
    await disk.writeFile(join(outside, "secret.txt"), "secret");
    files = await openWorkspace({ cwd: root, roots: [root] }, options);
  });

  afterEach(async () => {
    await files[Symbol.asyncDispose]();
    await disk.rm(base, { recursive: true, force: true });
  });

  it.runIf(process.platform === "linux")("tells how strong its protection is", () => {
    expect(files.raceProtection).toBe(protection);
  });

  describe("reading", () => {
    it("reads by relative, absolute and linked-root paths", async () => {
      await disk.symlink(root, join(base, "alias"));
      expect(await read("src/a.ts")).toBe("inside");
      expect(await read(join(root, "src", "..", "src", "a.ts"))).toBe("inside");
      await using aliased = await openWorkspace({ cwd: join(base, "alias"), roots: [join(base, "alias")] }, options);
      for (const path of ["src/a.ts", join(base, "alias", "src/a.ts"), join(root, "src/a.ts")]) {
        const { realPath } = await aliased.readFile(path, { maxBytes: 100 });
        expect(realPath).toBe(join(root, "src/a.ts"));
        expect(aliased.display(realPath)).toBe("src/a.ts");
      }
    });

    it("names paths on one line, with what is not seen escaped, so that none forges a message", async () => {
      for (const path of ["a\u202eb\nc", "../out\nside\u200c", ".git/x\ny"]) {
        const error: unknown = await files
          .writeFile(path, "x", { mode: "append", expectedEtag: "none" })
          .catch((reason: unknown) => reason);
        expect(ToolError.is(error) && error.message).toMatch(/^[\x20-\x7e]+$/u);
      }
    });

    it("gives an open handle with facts", async () => {
      await using file = await files.open("src/a.ts");
      expect(await file.handle.readFile("utf8")).toBe("inside");
      expect(file.stat).toMatchObject({ kind: "file", size: 6, links: 1 });
      expect(file.realPath).toBe(join(root, "src/a.ts"));
    });

    it("refuses siblings that share a prefix with a root, and everything else outside (SEC-FS-1)", async () => {
      for (const path of [
        join(outside, "secret.txt"),
        "../app-old/secret.txt",
        `${root}-old/secret.txt`,
        "/etc/passwd",
        "/",
        base,
        "..",
        "~/x",
      ]) {
        expect(await codeOf(files.readFile(path, { maxBytes: 100 })), path).toBe("outside_root");
        expect(await codeOf(files.readdir(path)), path).toBe("outside_root");
        expect(await codeOf(files.stat(path)), path).toBe("outside_root");
        expect(await codeOf(files.writeFile(path, "x", { mode: "overwrite", createDirs: true })), path).toBe(
          "outside_root",
        );
        expect(await codeOf(files.remove(path, { recursive: true })), path).toBe("outside_root");
      }
      expect(await text(join(outside, "secret.txt"))).toBe("secret");
    });

    it("follows links that stay inside and refuses those that leave (SEC-FS-3)", async () => {
      await disk.symlink("src", join(root, "in"));
      await disk.symlink("../src/./a.ts", join(root, "src", "up"));
      await disk.symlink("../app/src", join(root, "around"));
      await disk.symlink(join(root, "src"), join(root, "absolute"));
      await disk.symlink("../app-old", join(root, "out"));
      await disk.symlink(join(outside, "secret.txt"), join(root, "out-file"));
      await disk.symlink("out/secret.txt", join(root, "twice"));
      await disk.symlink("loop", join(root, "loop"));
      await disk.symlink("/", join(root, "top"));
      for (const path of ["in/a.ts", "src/up", "around/a.ts", "absolute/a.ts"])
        expect(await read(path), path).toBe("inside");
      for (const path of ["out/secret.txt", "out-file", "twice", "out/missing", "top/etc/passwd"]) {
        const error = await failureOf(files.readFile(path, { maxBytes: 100 }));
        expect(error.code, path).toBe("outside_root");
        expect(error.message).not.toContain("app-old");
      }
      expect(await codeOf(files.readFile("loop", { maxBytes: 100 }))).toBe("invalid_path");
      expect((await files.lstat("out")).kind).toBe("link");
      expect(await files.readlink("out")).toBe("../app-old");
    });

    it("uses the string it checked: twins by space, quote or case are other files (SEC-FS-6)", async () => {
      for (const path of ["src/a.ts ", " src/a.ts", "'src/a.ts'", '"src/a.ts"', "src/A.ts", "src/a.ts\n"]) {
        expect(await codeOf(files.readFile(path, { maxBytes: 100 })), JSON.stringify(path)).toBe("not_found");
      }
      for (const path of ["", "src/a.ts\0", "\0"])
        expect(await codeOf(Promise.resolve().then(() => files.stat(path)))).toBe("invalid_path");
    });

    it.runIf(process.platform === "linux")(
      "refuses special files without blocking (SEC-FS-5)",
      { timeout: 3000 },
      async () => {
        execFileSync("mkfifo", [join(root, "fifo")]);
        const server = createServer();
        await new Promise<void>((done) => server.listen(join(root, "socket"), done));
        try {
          for (const path of ["fifo", "socket"]) {
            expect(await codeOf(files.open(path)), path).toBe("not_regular_file");
            expect(await codeOf(files.writeFile(path, "x", { mode: "overwrite" })), path).toBe("not_regular_file");
            expect(await codeOf(files.writeFile(path, "x", { mode: "append" })), path).toBe("not_regular_file");
          }
          expect(await codeOf(files.open("src"))).toBe("not_a_file");
          expect(await codeOf(files.open("."))).toBe("not_a_file");
          expect(await codeOf(files.writeFile("src", "x", { mode: "overwrite" }))).toBe("not_a_file");
          expect(await codeOf(files.writeFile(".", "x", { mode: "overwrite" }))).toBe("not_a_file");
          expect(await codeOf(files.readdir("src/a.ts"))).toBe("not_a_directory");
          expect(await codeOf(files.stat("src/a.ts/b"))).toBe("not_a_directory");
        } finally {
          await new Promise((done) => server.close(done));
        }
      },
    );

    it.runIf(process.platform === "linux")(
      "refuses the kernel's folders even inside a root (SEC-FS-5)",
      { timeout: 3000 },
      async () => {
        await disk.symlink("/dev/zero", join(root, "zero"));
        await using whole = await openWorkspace({ cwd: root, roots: ["/"] }, options);
        for (const path of [
          "/dev/zero",
          "/proc/self/environ",
          "/sys/kernel/notes",
          "/proc",
          join(root, "zero"),
          "/proc/self/root/etc/passwd",
        ]) {
          expect(await codeOf(whole.readFile(path, { maxBytes: 10 })), path).toBe("protected_path");
          expect(await codeOf(whole.readdir(path)), path).toBe("protected_path");
          expect(await codeOf(whole.writeFile(path, "", { mode: "overwrite" })), path).toBe("protected_path");
        }
        expect((await whole.stat(join(root, "src"))).kind).toBe("directory");
      },
    );

    it("bounds what is read, and says how much there is", async () => {
      const error = await failureOf(files.readFile("src/a.ts", { maxBytes: 5 }));
      expect(error).toMatchObject({ code: "too_large", details: { size: 6, max_bytes: 5 } });
      expect((await files.readFile("src/a.ts", { maxBytes: 6 })).etag).toBe(
        etagOfBytes(new TextEncoder().encode("inside")),
      );
    });

    it("names the nearest entries beside a missing one", async () => {
      await disk.writeFile(join(root, "src", "alpha.ts"), "");
      await disk.writeFile(join(root, "src", "zebra.md"), "");
      const error = await failureOf(files.open("src/alhpa.ts"));
      expect(error.message).toBe("File not found: src/alhpa.ts");
      expect(error.details).toEqual({ nearest: ["src/alpha.ts"] });
      expect((await failureOf(files.open("scr/a.ts"))).message).toBe(
        'File not found: scr/a.ts (there is no "scr" on the way)',
      );
      expect((await failureOf(files.open("scr/a.ts"))).details).toEqual({ nearest: ["src"], missing_folder: "scr" });
      expect((await failureOf(files.open("src/entirely-different"))).suggestion).toBeUndefined();
    });

    it("lists a directory with kinds, and with facts when asked", async () => {
      await disk.symlink("nowhere", join(root, "src", "link"));
      await disk.mkdir(join(root, "src", "deep"));
      await disk.writeFile(Buffer.concat([Buffer.from(`${root}/src/`), Buffer.from([0x66, 0xff])]), "odd");
      const { entries, truncated, realPath } = await files.readdir("src");
      expect(realPath).toBe(join(root, "src"));
      expect(truncated).toBe(false);
      const kinds = entries.map(({ name, kind }) => [name, kind]).toSorted();
      expect(kinds).toEqual([
        ["a.ts", "file"],
        ["deep", "directory"],
        ["f\ufffd", "file"],
        ["link", "link"],
      ]);
      expect(entries.find(({ name }) => name === "f\ufffd")?.nameBytes).toEqual(Uint8Array.of(0x66, 0xff));
      const { entries: detailed } = await files.readdir("src", { facts: true });
      expect(detailed.find(({ name }) => name === "a.ts")?.facts?.size).toBe(6);
      expect(detailed.find(({ nameBytes }) => nameBytes !== undefined)?.facts?.size).toBe(3);
      expect(await files.readdir("src", { maxEntries: 2 })).toMatchObject({ truncated: true, entries: { length: 2 } });
    });
  });

  describe("writing", () => {
    it("creates, refuses to create again, overwrites and appends", async () => {
      expect(await files.writeFile("n.txt", "one")).toMatchObject({
        created: true,
        bytesWritten: 3,
        notices: [],
        realPath: join(root, "n.txt"),
      });
      expect((await disk.stat(join(root, "n.txt"))).mode & 0o777).toBe(0o666 & ~process.umask());
      expect((await disk.stat(join(root, "n.txt"))).nlink).toBe(1);
      expect(await codeOf(files.writeFile("n.txt", "two"))).toBe("already_exists");
      expect(await files.writeFile("n.txt", "two!", { mode: "overwrite" })).toMatchObject({
        created: false,
        bytesWritten: 4,
      });
      const { etag } = await files.writeFile("n.txt", " more", { mode: "append" });
      expect(await text(join(root, "n.txt"))).toBe("two! more");
      expect(etag).toBe((await files.readFile("n.txt", { maxBytes: 100 })).etag);
      expect(await files.writeFile("log", "x", { mode: "append" })).toMatchObject({ created: true });
      expect(await files.writeFile("big", "y".repeat(3_000_000))).toMatchObject({ bytesWritten: 3_000_000 });
      expect(await disk.readdir(root)).toEqual(["big", "log", "n.txt", "src"]);
    });

    it("keeps mode bits, and sets or clears the executable ones when told", async () => {
      const path = join(root, "run.sh");
      await disk.writeFile(path, "a");
      await disk.chmod(path, 0o640);
      const mode = async (): Promise<number> => (await disk.stat(path)).mode & 0o777;
      await files.writeFile("run.sh", "b", { mode: "overwrite" });
      expect(await mode()).toBe(0o640);
      await files.writeFile("run.sh", "b", { mode: "overwrite", executable: true });
      expect(await mode()).toBe(0o750);
      await files.writeFile("run.sh", "c", { mode: "overwrite" });
      expect(await mode()).toBe(0o750);
      await files.writeFile("run.sh", "c", { mode: "overwrite", executable: false });
      expect(await mode()).toBe(0o640);
      await files.writeFile("new.sh", "c", { executable: true });
      expect((await disk.stat(join(root, "new.sh"))).mode & 0o111).not.toBe(0);
    });

    it("leaves a file alone that has the content already", async () => {
      const before = await disk.stat(join(root, "src/a.ts"), { bigint: true });
      expect(await files.writeFile("src/a.ts", "inside", { mode: "overwrite" })).toMatchObject({
        bytesWritten: 0,
        notices: ["unchanged"],
      });
      const after = await disk.stat(join(root, "src/a.ts"), { bigint: true });
      expect([after.ino, after.mtimeNs]).toEqual([before.ino, before.mtimeNs]);
    });

    it("refuses a read-only file though its directory is writable", async () => {
      await disk.chmod(join(root, "src/a.ts"), 0o444);
      expect(await codeOf(files.writeFile("src/a.ts", "x", { mode: "overwrite" }))).toBe("permission_denied");
      await files.writeFile("other", "x");
      expect(await codeOf(files.rename("other", "src/a.ts", { overwrite: true }))).toBe("permission_denied");
      expect(await text(join(root, "src/a.ts"))).toBe("inside");
    });

    it("makes missing parents only when told", async () => {
      expect(await codeOf(files.writeFile("x/y/z.txt", "1"))).toBe("not_found");
      await files.writeFile("x/y/z.txt", "1", { createDirs: true });
      expect(await text(join(root, "x/y/z.txt"))).toBe("1");
      expect(await codeOf(files.writeFile("src/a.ts/b/c", "1", { createDirs: true }))).toBe("not_a_directory");
    });

    it("replaces a hard-linked file and leaves its other names unchanged (SEC-FS-4)", async () => {
      await disk.link(join(outside, "secret.txt"), join(root, "shared"));
      expect((await files.writeFile("shared", "mine", { mode: "overwrite" })).notices).toEqual(["hard_link_detached"]);
      await disk.link(join(outside, "secret.txt"), join(root, "shared2"));
      await files.writeFile("shared2", "+", { mode: "append" });
      expect(await text(join(root, "shared"))).toBe("mine");
      expect(await text(join(root, "shared2"))).toBe("secret+");
      expect(await text(join(outside, "secret.txt"))).toBe("secret");
    });

    it("tells where a path leads, whether or not anything stands there", async () => {
      await disk.symlink("src/later.ts", join(root, "soon"));
      await disk.symlink(join(outside, "planted"), join(root, "away"));
      expect(await files.realPath("src/a.ts")).toBe(join(root, "src/a.ts"));
      expect(await files.realPath("soon")).toBe(join(root, "src/later.ts"));
      expect(await files.realPath("src/x/y/z")).toBe(join(root, "src/x/y/z"));
      expect(await codeOf(files.realPath("away"))).toBe("outside_root");
    });

    it("writes a link's target, and takes a dangling link for its target (SEC-FS-3, SEC-FS-4)", async () => {
      await disk.symlink("src/a.ts", join(root, "link"));
      await disk.symlink("src/new.ts", join(root, "dangling"));
      await disk.symlink(join(outside, "planted"), join(root, "dangling-out"));
      await disk.symlink("missing/../src/a.ts", join(root, "through"));
      await files.writeFile("link", "via link", { mode: "overwrite" });
      await files.writeFile("dangling", "made");
      for (const mode of ["create", "overwrite", "append"] as const) {
        expect(await codeOf(files.writeFile("dangling-out", "x", { mode }))).toBe("outside_root");
      }
      expect(await codeOf(files.mkdir("dangling-out", { recursive: true }))).toBe("outside_root");
      expect(await codeOf(files.writeFile("through", "x", { mode: "overwrite", createDirs: true }))).toBe("not_found");
      expect(await text(join(root, "src/a.ts"))).toBe("via link");
      expect(await text(join(root, "src/new.ts"))).toBe("made");
      expect((await disk.lstat(join(root, "link"))).isSymbolicLink()).toBe(true);
      expect(await disk.readdir(outside)).toEqual(["secret.txt"]);
    });

    it("refuses other content than expected, and lets one of two writers win", async () => {
      const { etag } = await files.readFile("src/a.ts", { maxBytes: 100 });
      const results = await Promise.allSettled(
        ["first", "second"].map(
          async (content) => await files.writeFile("src/a.ts", content, { mode: "overwrite", expectedEtag: etag }),
        ),
      );
      expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
      const now = (await files.readFile("src/a.ts", { maxBytes: 100 })).etag;
      const error = await failureOf(files.writeFile("src/a.ts", "x", { mode: "overwrite", expectedEtag: etag }));
      expect(error).toMatchObject({ code: "conflict", details: { etag: now } });
      expect(await codeOf(files.writeFile("gone", "x", { mode: "overwrite", expectedEtag: etag }))).toBe("conflict");
    });

    it("marks the etag of a large file as weak, and still notices changes", async () => {
      await disk.truncate(join(root, "src/a.ts"), 21 * 1024 * 1024);
      await using large = await files.open("src/a.ts");
      const etag = await etagOfFile(large.handle);
      expect(etag).toMatch(/^weak:[0-9a-f]{32}$/u);
      const { etag: next } = await files.writeFile("src/a.ts", "end", { mode: "append", expectedEtag: etag });
      expect(next).toMatch(/^weak:/u);
      expect(await codeOf(files.writeFile("src/a.ts", "x", { mode: "overwrite", expectedEtag: etag }))).toBe(
        "conflict",
      );
      await files.writeFile("src/a.ts", "x", { mode: "overwrite", expectedEtag: next });
      expect(await read("src/a.ts")).toBe("x");
    });

    it("lets exactly one of many creators win and loses no append", async () => {
      const created = await Promise.allSettled(
        Array.from({ length: 8 }, async (_, n) => await files.writeFile("once", `${n}`)),
      );
      expect(created.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      await Promise.all(Array.from({ length: 8 }, async () => await files.writeFile("sum", "x", { mode: "append" })));
      expect(await text(join(root, "sum"))).toBe("xxxxxxxx");
    });
  });

  describe("protected names", () => {
    const names = [
      ".git",
      ".git/config",
      "sub/.git/hooks/pre-commit",
      ".GIT/config",
      ".Git",
      ".gitattributes",
      "src/.gitattributes",
      ".GitAttributes",
    ];
    const twins = [".gitignore", "git/config", ".github/x", "a.git", ".gitattributes.md"];

    it.each(names)("refuses every write to %s (SEC-FS-9)", async (path) => {
      await disk.mkdir(join(root, ".git/hooks"), { recursive: true });
      const before = await disk.readdir(root, { recursive: true });
      for (const mode of ["create", "overwrite", "append"] as const) {
        expect(await codeOf(files.writeFile(path, "x", { mode, createDirs: true }))).toBe("protected_path");
      }
      expect(await codeOf(files.mkdir(path, { recursive: true }))).toBe("protected_path");
      expect(await codeOf(files.remove(path, { recursive: true }))).toBe("protected_path");
      expect(await codeOf(files.rename(path, "moved"))).toBe("protected_path");
      expect(await codeOf(files.rename("src/a.ts", path, { overwrite: true, createDirs: true }))).toBe(
        "protected_path",
      );
      expect(await disk.readdir(root, { recursive: true })).toEqual(before);
    });

    it.each(twins)("lets %s be written", async (path) => {
      await files.writeFile(path, "x", { createDirs: true });
      expect(await read(path)).toBe("x");
    });

    it("holds through links, and does not hinder reading (SEC-FS-8)", async () => {
      await disk.mkdir(join(root, ".git"));
      await disk.writeFile(join(root, ".git/config"), "[core]");
      await disk.symlink(".git", join(root, "dot"));
      await disk.symlink(".git/config", join(root, "conf"));
      await disk.symlink("src", join(root, "src", ".git"));
      expect(await codeOf(files.writeFile("dot/config", "x", { mode: "overwrite" }))).toBe("protected_path");
      expect(await codeOf(files.writeFile("conf", "x", { mode: "overwrite" }))).toBe("protected_path");
      expect(await codeOf(files.writeFile("dot/new/x", "x", { createDirs: true }))).toBe("protected_path");
      expect(await codeOf(files.writeFile("src/.git/x", "x"))).toBe("protected_path");
      expect(await codeOf(files.remove("src", { recursive: true }))).toBe("protected_path");
      expect(await read("conf")).toBe("[core]");
      expect(await read("dot/config")).toBe("[core]");
      await files.remove("conf");
      expect(await text(join(root, ".git/config"))).toBe("[core]");
    });
  });

  describe("moving and removing", () => {
    it("moves files, directories and links as they are", async () => {
      await disk.symlink(join(outside, "secret.txt"), join(root, "out"));
      await files.rename("src/a.ts", "b.ts");
      await files.rename("src", "lib/deep", { createDirs: true });
      await files.rename("out", "lib/out");
      await files.rename("b.ts", "B.ts");
      await files.writeFile("b.ts", "other");
      expect(await codeOf(files.rename("b.ts", "B.ts"))).toBe("already_exists");
      await files.remove("b.ts");
      expect(await text(join(root, "B.ts"))).toBe("inside");
      expect(await disk.readdir(root)).toEqual(["B.ts", "lib"]);
      expect(await disk.readlink(join(root, "lib/out"))).toBe(join(outside, "secret.txt"));
      expect(await disk.readdir(join(root, "lib/deep"))).toEqual([]);
    });

    it("replaces nothing unless told, and never a directory", async () => {
      await files.writeFile("b.ts", "b");
      await files.mkdir("dir");
      await disk.symlink(join(outside, "secret.txt"), join(root, "out"));
      expect(await codeOf(files.rename("src/a.ts", "b.ts"))).toBe("already_exists");
      expect(await codeOf(files.rename("src/a.ts", "dir", { overwrite: true }))).toBe("already_exists");
      expect(await codeOf(files.rename("src", "dir", { overwrite: true }))).toBe("already_exists");
      await files.rename("src/a.ts", "b.ts", { overwrite: true });
      expect(await text(join(root, "b.ts"))).toBe("inside");
      await files.rename("b.ts", "out", { overwrite: true });
      expect(await text(join(root, "out"))).toBe("inside");
      expect(await text(join(outside, "secret.txt"))).toBe("secret");
      await disk.link(join(root, "out"), join(root, "twin"));
      await files.rename("out", "twin", { overwrite: true });
      expect(await disk.readdir(root)).toEqual(["dir", "src", "twin"]);
    });

    it("anchors both ends (SEC-FS-10)", async () => {
      await disk.symlink(outside, join(root, "door"));
      for (const to of ["../stolen", join(outside, "x"), "door/x", "src/inner", "missing/x"]) {
        expect(["outside_root", "invalid_path", "not_found"]).toContain(await codeOf(files.rename("src", to)));
      }
      expect(await codeOf(files.rename("door/secret.txt", "mine"))).toBe("outside_root");
      expect(await codeOf(files.rename(root, "x"))).toBe("protected_path");
      expect(await codeOf(files.rename("src", "src"))).toBe("invalid_path");
      expect(await disk.readdir(outside)).toEqual(["secret.txt"]);
    });

    it("removes links and not what they lead to (SEC-FS-10)", async () => {
      await disk.symlink(outside, join(root, "src", "door"));
      await disk.symlink(join(outside, "secret.txt"), join(root, "link"));
      await disk.mkdir(join(root, "src/deep/er"), { recursive: true });
      expect(await files.remove("link")).toEqual({ removed: 1 });
      expect(await codeOf(files.remove("src"))).toBe("not_a_file");
      expect(await files.remove("src", { recursive: true })).toEqual({ removed: 5 });
      expect(await disk.readdir(root)).toEqual([]);
      expect(await text(join(outside, "secret.txt"))).toBe("secret");
    });

    it("refuses to remove roots, the working directory and what holds them", async () => {
      await using deeper = await openWorkspace(
        { cwd: join(root, "src"), roots: [root] },
        { ...options, home: join(root, "home/me") },
      );
      await deeper.mkdir(join(root, "home/me"), { recursive: true });
      for (const path of [root, ".", join(root, "home"), "~"]) {
        expect(await codeOf(deeper.remove(path, { recursive: true })), path).toBe("protected_path");
        expect(await codeOf(deeper.rename(path, join(root, "other"))), path).toBe("protected_path");
      }
      expect(await codeOf(deeper.remove("missing"))).toBe("not_found");
    });
  });

  describe("roots", () => {
    it("opens several, and a path from one to the other", async () => {
      await disk.symlink("../app-old", join(root, "beside"));
      await using both = await openWorkspace({ cwd: root, roots: [outside, root] }, options);
      expect(new TextDecoder().decode((await both.readFile("beside/secret.txt", { maxBytes: 9 })).bytes)).toBe(
        "secret",
      );
      await both.rename("src/a.ts", "../app-old/a.ts");
      expect(await text(join(outside, "a.ts"))).toBe("inside");
    });

    it("grants nothing for a root inside another that was exchanged for a link (SEC-FS-7)", async () => {
      await disk.symlink(outside, join(root, "nested"));
      await using nested = await openWorkspace({ cwd: root, roots: [root, join(root, "nested")] }, options);
      expect(await codeOf(nested.readFile("nested/secret.txt", { maxBytes: 9 }))).toBe("outside_root");
    });

    it("says when a root does not exist, and opens nothing without roots", async () => {
      await using missing = await openWorkspace({ cwd: join(base, "gone"), roots: [join(base, "gone")] }, options);
      expect((await failureOf(missing.stat("x"))).message).toContain("workspace folder itself does not exist");
      await using none = await openWorkspace({ cwd: root, roots: [] }, options);
      expect(await codeOf(none.stat("src/a.ts"))).toBe("outside_root");
    });
  });

  describe("lifetime", () => {
    it.runIf(process.platform === "linux")(
      "leaves no descriptor open after successes, failures and aborts",
      async () => {
        await files.stat("src");
        const before = await openFds();
        const gone = AbortSignal.abort();
        await using aborted = await openWorkspace({ cwd: root, roots: [root] }, { ...options, signal: gone });
        for (const workspace of [files, aborted]) {
          await Promise.allSettled([
            workspace.readFile("src/a.ts", { maxBytes: 1 }),
            workspace.readFile("src/a.ts", { maxBytes: 100 }),
            workspace.readFile("src/missing/x", { maxBytes: 1 }),
            workspace.readFile("../x", { maxBytes: 1 }),
            workspace.readdir("src"),
            workspace.writeFile("src/a.ts", "x"),
            workspace.writeFile("src/a.ts/x", "x"),
            workspace.writeFile("w/x", "x", { createDirs: true }),
            workspace.writeFile("w/.git/x", "x", { createDirs: true }),
            workspace.mkdir("src"),
            workspace.rename("w/x", "w/y"),
            workspace.remove("w", { recursive: true }),
          ]);
        }
        await aborted[Symbol.asyncDispose]();
        expect(await openFds()).toBe(before);
        await files[Symbol.asyncDispose]();
        expect(await openFds()).toBe(before - (protection === "closed" ? 1 : 0));
      },
    );

    it("waits for what runs when it closes, then refuses", async () => {
      const reading = files.readFile("src/a.ts", { maxBytes: 100 });
      await files[Symbol.asyncDispose]();
      expect((await reading).bytes).toHaveLength(6);
      expect(await codeOf(files.stat("src"))).toBe("io_error");
    });

    it("stops before the effect when the signal aborts, with the signal's own reason", async () => {
      const controller = new AbortController();
      await using stopping = await openWorkspace(
        { cwd: root, roots: [root] },
        { ...options, signal: controller.signal },
      );
      const writing = stopping.writeFile("src/a.ts", "x".repeat(5_000_000), { mode: "overwrite" });
      controller.abort(new Error("enough"));
      await expect(writing).rejects.toThrow("enough");
      expect(await text(join(root, "src/a.ts"))).toBe("inside");
      expect(await disk.readdir(join(root, "src"))).toEqual(["a.ts"]);
    });
  });
});
