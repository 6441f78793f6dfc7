import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import * as disk from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ToolError } from "../errors/tool-error.ts";
import { openWorkspace, type Workspace } from "./workspace.ts";

/**
 * Exchanges a folder, a folder further up and a file for links to the outside and back, as fast as it can, until its input ends;
 * puts right what the other side removed, and counts its exchanges.
 */
const SWAPPER = `
  const fs = require("node:fs");
  const [root, outside] = process.argv.slice(1);
  const attempt = (work) => { try { return work(); } catch { return undefined; } };
  let swaps = 0;
  const isLink = (path) => attempt(() => fs.lstatSync(path).isSymbolicLink()) === true;
  const swap = (path, target) => {
    const keep = path + ".keep";
    attempt(() => fs.rmSync(keep, { recursive: true, force: true }));
    attempt(() => fs.renameSync(path, keep));
    attempt(() => { fs.symlinkSync(target, path); swaps += 1; });
    for (let n = Math.random() * 40; n > 0; n -= 1) attempt(() => fs.readlinkSync(path));
    if (isLink(path)) attempt(() => fs.unlinkSync(path));
    attempt(() => fs.lstatSync(path)) ?? attempt(() => fs.renameSync(keep, path));
  };
  process.stdin.on("end", () => { process.stdout.write(" " + swaps, () => process.exit(0)); }).resume();
  setTimeout(() => process.exit(1), 30000);
  process.stdout.write("ready");
  const turn = () => {
    attempt(() => fs.mkdirSync(root + "/up/dir", { recursive: true }));
    attempt(() => fs.writeFileSync(root + "/up/dir/file", "inside", { flag: "wx" }));
    swap(root + "/up/dir", outside);
    swap(root + "/up", outside + "/twin");
    swap(root + "/up/dir/file", outside + "/file");
    setImmediate(turn);
  };
  turn();
`;

type Operation = (files: Workspace, n: number) => Promise<unknown>;

const text = new TextDecoder();
const operations: { readonly [name: string]: Operation } = {
  readFile: async (files) => text.decode((await files.readFile("up/dir/file", { maxBytes: 100 })).bytes),
  open: async (files) => {
    await using file = await files.open("up/dir/file");
    return await file.handle.readFile("utf8");
  },
  stat: async (files) => (await files.stat("up/dir/file")).size,
  lstat: async (files) => (await files.lstat("up/dir/secret-name")).size,
  readdir: async (files) => (await files.readdir("up/dir", { facts: true })).entries.map(({ name }) => name).join(),
  create: async (files, n) => await files.writeFile(`up/dir/new-${n}`, "written"),
  createDirs: async (files, n) => await files.writeFile(`up/dir/made-${n}/deep/x`, "written", { createDirs: true }),
  overwrite: async (files, n) => await files.writeFile("up/dir/file", `inside ${n}`, { mode: "overwrite" }),
  append: async (files) => await files.writeFile("up/dir/file", "+", { mode: "append" }),
  mkdir: async (files, n) => await files.mkdir(`up/dir/folder-${n}`),
  moveOut: async (files, n) => await files.rename("up/dir/file", `stolen-${n}`),
  moveIn: async (files, n) => {
    await files.writeFile(`loose-${n}`, "inside");
    await files.rename(`loose-${n}`, "up/dir/file", { overwrite: true });
  },
  copyOut: async (files, n) => {
    await files.copy("up/dir/file", `copied-${n}`);
    return text.decode((await files.readFile(`copied-${n}`, { maxBytes: 100 })).bytes);
  },
  copyIn: async (files, n) => {
    await files.writeFile(`loose-${n}`, "inside");
    await files.copy(`loose-${n}`, "up/dir/file", { overwrite: true });
  },
  copyTree: async (files, n) => await files.copy("up", `tree-${n}`, { recursive: true }),
  remove: async (files) => await files.remove("up/dir/secret-name"),
  removeFile: async (files) => {
    await files.remove("up/dir/file");
  },
  removeTree: async (files) => await files.remove("up/dir", { recursive: true }),
};

async function snapshot(folder: string): Promise<string[]> {
  const found = await disk.readdir(folder, { recursive: true, withFileTypes: true });
  const lines = found.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    const facts = await disk.lstat(path);
    return `${path} ${facts.mode} ${facts.mtimeMs} ${entry.isFile() ? await disk.readFile(path, "utf8") : ""}`;
  });
  return (await Promise.all(lines)).toSorted();
}

describe.runIf(process.platform === "linux")("openWorkspace, while another process exchanges folders for links", () => {
  let base: string;
  let root: string;
  let outside: string;
  let swapper: ChildProcess;

  beforeAll(async () => {
    base = await disk.realpath(await disk.mkdtemp(join(tmpdir(), "aiw-races-")));
    root = join(base, "root");
    outside = join(base, "outside");
    for (const folder of ["", "twin", "twin/dir"]) {
      await disk.mkdir(join(outside, folder), { recursive: true });
      await disk.writeFile(join(outside, folder, "file"), "secret");
      await disk.writeFile(join(outside, folder, "secret-name"), "a secret of odd length");
    }
    await disk.mkdir(join(root, "up/dir"), { recursive: true });
    swapper = spawn(process.execPath, ["-e", SWAPPER, root, outside], { stdio: ["pipe", "pipe", "inherit"] });
    await once(swapper.stdout ?? swapper, "data");
  });

  afterAll(async () => {
    const said: string[] = [];
    swapper.stdout?.on("data", (chunk) => said.push(String(chunk)));
    const ended = once(swapper, "close");
    swapper.stdin?.end();
    await ended;
    await disk.rm(base, { recursive: true, force: true });
    expect(Number(said.join("")), "exchanges").toBeGreaterThan(200);
  });

  it.each(Object.keys(operations))("%s touches nothing outside (SEC-FS-2)", { timeout: 10_000 }, async (name) => {
    const operation = operations[name];
    const before = await snapshot(outside);
    const outcomes = new Map<string, number>();
    await using files = await openWorkspace({ cwd: root, roots: [root] });
    expect(files.raceProtection).toBe("closed");
    const end = Date.now() + 150;
    for (let n = 0; Date.now() < end; n += 1) {
      const outcome = await operation?.(files, n).then(
        (value) => {
          expect(JSON.stringify(value) ?? "").not.toContain("secret");
          return "done";
        },
        (error: unknown) => {
          if (!ToolError.is(error)) throw error;
          expect(error.message).not.toContain(outside);
          return error.code;
        },
      );
      outcomes.set(outcome ?? "", (outcomes.get(outcome ?? "") ?? 0) + 1);
    }
    expect(await snapshot(outside)).toEqual(before);
    expect(outcomes.size).toBeGreaterThan(0);
  });
});
