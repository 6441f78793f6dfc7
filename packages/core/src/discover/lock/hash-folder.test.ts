import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { nodePorts, type DiscoveryFileSystem } from "../discovery-ports.ts";
import { hashFolder, MAX_BYTES, MAX_FILES } from "./hash-folder.ts";

async function makeFolder(): Promise<string> {
  const dir = await mkdtemp(path.join(tmpdir(), "aiw-hash-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  await writeFile(path.join(dir, "a.js"), "a");
  return dir;
}

/** The real disk, on which each entry has these names. */
function withNames(names: readonly string[]): DiscoveryFileSystem {
  const entry = (name: string): object => ({
    name,
    isFile: () => true,
    isDirectory: () => false,
    isSymbolicLink: () => false,
  });
  const readdirSync = (() => names.map(entry)) as unknown as DiscoveryFileSystem["readdirSync"];
  return { ...nodePorts.fs, readdirSync };
}

describe("hashFolder", () => {
  it.skipIf(process.platform === "win32")(
    "refuses what is neither a file nor a folder, and waits for no pipe",
    async () => {
      const dir = await makeFolder();
      spawnSync("mkfifo", [path.join(dir, "pipe")]);
      expect(() => hashFolder(dir, nodePorts.fs)).toThrow(/"pipe" is neither a file nor a folder/);
    },
  );

  it("refuses more entries and more bytes than anybody pins", async () => {
    const dir = await makeFolder();
    const names = Array.from({ length: MAX_FILES + 1 }, (_, index) => `${index}`);
    expect(() => hashFolder(dir, withNames(names))).toThrow(/more than 20000 files/);
    let read = 0;
    const readSync = ((_file: number, buffer: Buffer) => {
      read += buffer.length;
      return read > 2 * MAX_BYTES ? 0 : buffer.length;
    }) as unknown as DiscoveryFileSystem["readSync"];
    expect(() => hashFolder(dir, { ...nodePorts.fs, readSync })).toThrow(/more than \d+ bytes/);
    expect(read).toBeLessThan(MAX_BYTES + 1024 * 1024);
  });

  it("takes the end of a #! line for a line feed, as managers write it, and no other end", async () => {
    const dir = await makeFolder();
    const of = async (text: string): Promise<string | undefined> => {
      await writeFile(path.join(dir, "a.js"), text);
      return hashFolder(dir, nodePorts.fs).get("a.js");
    };
    expect(await of("#!/bin/node\r\na\r\n")).toBe(await of("#!/bin/node\na\r\n"));
    expect(await of("#!/bin/node\na\r\n")).not.toBe(await of("#!/bin/node\na\n"));
    expect(await of("a\r\n")).not.toBe(await of("a\n"));
  });

  it("refuses a name that no JSON can say", async () => {
    expect(() => hashFolder(fs.realpathSync("."), withNames(["a\ud800.js"]))).toThrow(/no Unicode text/);
  });
});
