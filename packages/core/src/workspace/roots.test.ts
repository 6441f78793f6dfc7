import { execFileSync } from "node:child_process";
import * as disk from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { codeOf } from "./__fixtures__/failure-of.ts";
import { RACE_PROTECTIONS } from "./__fixtures__/race-protections.ts";
import { openWorkspace, type Workspace } from "./workspace.ts";

let base: string;

const read = async (files: Workspace, path: string): Promise<string> =>
  new TextDecoder().decode((await files.readFile(path, { maxBytes: 100 })).bytes);

/** Every way to change something at a path. */
const changes: readonly ((files: Workspace, path: string) => Promise<unknown>)[] = [
  async (files, path) => await files.writeFile(path, "x", { mode: "overwrite", createDirs: true }),
  async (files, path) => await files.writeFile(path, "x", { mode: "append" }),
  async (files, path) => await files.mkdir(path, { recursive: true }),
  async (files, path) => await files.symlink("x", path),
  async (files, path) => await files.remove(path, { recursive: true }),
  async (files, path) => await files.rename(path, "mine"),
  async (files, path) => await files.rename("own", path, { overwrite: true }),
  async (files, path) => await files.copy("own", path, { overwrite: true }),
  async (files, path) => await files.assertMayWrite(path),
];

beforeEach(async () => {
  base = await disk.realpath(await disk.mkdtemp(join(tmpdir(), "aiw-roots-")));
  for (const folder of ["srv/app", "srv/app/in", "srv/app-old", "srv/appendix", "srv/ap"]) {
    await disk.mkdir(join(base, folder), { recursive: true });
    await disk.writeFile(join(base, folder, "own"), folder);
  }
});
afterEach(async () => {
  await disk.rm(base, { recursive: true, force: true });
});

describe.each(RACE_PROTECTIONS)("roots, races %s", (_protection, options) => {
  const open = async (...roots: string[]): Promise<Workspace> =>
    await openWorkspace({ cwd: join(base, "srv/app"), roots: roots.map((root) => join(base, root)) }, options);

  it("that share the beginning of their names with others admit none of those (SEC-FS-1)", async () => {
    await using files = await open("srv/app");
    for (const twin of ["../app-old/own", "../appendix/own", "../ap/own", join(base, "srv/app-old/own")]) {
      expect(await codeOf(read(files, twin)), twin).toBe("outside_root");
      for (const change of changes) expect(await codeOf(change(files, twin)), twin).toBe("outside_root");
    }
    await using both = await open("srv/app", "srv/app-old");
    expect(await read(both, "../app-old/own")).toBe("srv/app-old");
    expect(await codeOf(read(both, "../appendix/own"))).toBe("outside_root");
  });

  it.runIf(process.platform !== "win32")("of / refuse the folders of the kernel, by any name (SEC-FS-5)", async () => {
    await disk.symlink("/proc", join(base, "srv/app/link"));
    await using files = await openWorkspace({ cwd: join(base, "srv/app"), roots: ["/"] }, options);
    expect(await read(files, join(base, "srv/app-old/own"))).toBe("srv/app-old");
    expect(await read(files, "../ap/own")).toBe("srv/ap");
    for (const path of [
      "/proc/self/environ",
      "/sys/kernel",
      "/dev/null",
      "/dev/aiw",
      "link/self/mem",
      "/srv/../proc/1",
    ]) {
      expect(await codeOf(read(files, path)), path).toBe("protected_path");
      for (const change of changes) expect(await codeOf(change(files, path)), path).toBe("protected_path");
    }
    expect(await codeOf(files.remove("/", { recursive: true }))).toBe("protected_path");
  });

  it("inside each other are one, and neither is removed or moved (SEC-FS-7)", async () => {
    await using files = await open("srv/app/in", "srv/app", "srv/app");
    expect(await read(files, "in/own")).toBe("srv/app/in");
    expect(await codeOf(files.rename("own", "in/moved"))).toBe("done");
    for (const path of ["in", "."]) {
      expect(await codeOf(files.remove(path, { recursive: true }))).toBe("protected_path");
      expect(await codeOf(files.rename(path, "elsewhere"))).toBe("protected_path");
    }
  });

  it("that are links count as what they led to when they were opened (SEC-FS-3, SEC-FS-7)", async () => {
    await disk.symlink("app", join(base, "srv/current"));
    await using files = await openWorkspace(
      { cwd: join(base, "srv/current"), roots: [join(base, "srv/current")] },
      options,
    );
    expect(await read(files, "own")).toBe("srv/app");
    await disk.rm(join(base, "srv/current"));
    await disk.symlink("app-old", join(base, "srv/current"));
    expect(await read(files, "own")).toBe("srv/app");
    await files.writeFile("new", "x");
    expect(await disk.readdir(join(base, "srv/app-old"))).toEqual(["own"]);
    expect(await disk.readdir(join(base, "srv/app"))).toContain("new");
  });

  it("that are missing grant nothing, and others go on (SEC-FS-7)", async () => {
    await using files = await open("srv/gone", "srv/app");
    expect(await read(files, "own")).toBe("srv/app");
    const missing = join(base, "srv/gone/x");
    for (const change of changes) expect(await codeOf(change(files, missing))).toBe("not_found");
    await disk.symlink("app-old", join(base, "srv/gone"));
    expect(await codeOf(read(files, join(base, "srv/gone/own")))).toBe("not_found");
    expect(await disk.readdir(join(base, "srv/app-old"))).toEqual(["own"]);
  });

  it.runIf(process.platform === "linux")(
    "in which pipes, sockets and devices stand block nobody (SEC-FS-5)",
    { timeout: 10_000 },
    async () => {
      const root = join(base, "srv/app");
      execFileSync("mkfifo", [join(root, "pipe")]);
      const server = createServer().listen(join(root, "socket"));
      await using _server = { [Symbol.asyncDispose]: async () => void server.close() };
      await disk.symlink("pipe", join(root, "to-pipe"));
      await using files = await open("srv/app");
      for (const path of ["pipe", "socket", "to-pipe"]) {
        expect(await codeOf(read(files, path)), path).toBe("not_regular_file");
        expect(await codeOf(files.open(path)), path).toBe("not_regular_file");
        for (const mode of ["overwrite", "append"] as const) {
          expect(await codeOf(files.writeFile(path, "x", { mode })), path).toBe("not_regular_file");
        }
      }
      expect(await codeOf(files.copy("pipe", "copied"))).toBe("not_regular_file");
      expect(await codeOf(files.rename("pipe", "moved"))).toBe("done");
      expect(await codeOf(files.remove("moved"))).toBe("done");
    },
  );
});
