import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readTarball } from "./read-tarball.ts";

function pack(files: Readonly<Record<string, string>>): Uint8Array {
  const folder = mkdtempSync(path.join(tmpdir(), "aiw-tarball-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, "package", name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const tarball = path.join(folder, "x.tgz");
  execFileSync("tar", ["--format=ustar", "-czf", tarball, "-C", folder, "package"]);
  return readFileSync(tarball);
}

describe("readTarball", () => {
  it("reads every file by its path inside the package", () => {
    const long = `${"deep/".repeat(25)}file.js`;
    const files = {
      "package.json": "{}",
      "empty.txt": "",
      "block.txt": "x".repeat(512),
      "text.md": "ä".repeat(700),
      [long]: "deep",
    };
    expect(Object.fromEntries(readTarball(pack(files)))).toEqual(files);
  });
});
