import { existsSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryWorkspace } from "@aiw/testkit";
import { Header } from "tar";
import { describe, expect, it } from "vitest";
import { unpackTarball, type UnpackedTarball } from "./unpack-tarball.ts";

interface Entry {
  readonly path: string;
  readonly type?: NonNullable<Header["type"]>;
  readonly linkpath?: string;
  /** What the header says it has. */
  readonly size?: number;
}

/** A tarball of entries that no manager would write. */
function toTar(entries: readonly Entry[]): Buffer {
  const blocks = entries.flatMap(({ path, type = "File", linkpath, size }) => {
    const text = type === "File" ? "text" : "";
    const block = Buffer.alloc(512);
    new Header({
      path,
      type,
      mode: 0o644,
      mtime: new Date(0),
      size: size ?? text.length,
      ...(linkpath !== undefined && { linkpath }),
    }).encode(block, 0);
    return text === "" ? [block] : [block, Buffer.concat([Buffer.from(text), Buffer.alloc(512 - text.length)])];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

async function unpack(
  entries: readonly Entry[],
): Promise<UnpackedTarball & { readonly there: string[]; readonly outside: string[] }> {
  await using folder = await temporaryWorkspace({ "in/deep/.keep": "" });
  const tarball = join(folder.cwd, "a.tgz");
  await writeFile(tarball, toTar(entries));
  const unpacked = await unpackTarball(tarball, join(folder.cwd, "in/deep"));
  const there = (await readdir(join(folder.cwd, "in/deep"), { recursive: true })).filter((name) => name !== ".keep");
  const outside = [...(await readdir(folder.cwd)), ...(await readdir(join(folder.cwd, "in")))];
  return { ...unpacked, there: there.toSorted(), outside };
}

describe("unpackTarball", () => {
  it("unpacks ordinary files without the first folder, whatever it is called", async () => {
    const { files, there, refused } = await unpack([{ path: "package/a.js" }, { path: "other/b/c.js" }]);
    expect(files).toEqual([
      { path: "a.js", bytes: 4 },
      { path: "b/c.js", bytes: 4 },
    ]);
    expect({ there, refused }).toEqual({ there: ["a.js", "b", "b/c.js"], refused: [] });
  });

  it.each<[string, Entry, string]>([
    ["a way up", { path: "package/../../evil.js" }, "leads out"],
    ["a way up at once", { path: "../evil.js" }, "leads out"],
    ["an absolute path", { path: "/package/evil.js" }, "leads out"],
    ["a drive", { path: "C:/package/evil.js" }, "leads out"],
    ["backslashes", { path: "package\\..\\evil.js" }, "leads out"],
    ["a file in no folder", { path: "evil.js" }, "in no folder"],
    ["a link", { path: "package/evil", type: "SymbolicLink", linkpath: "../.." }, "is a link"],
    ["a hard link", { path: "package/evil", type: "Link", linkpath: "package/a.js" }, "is a link"],
    ["a device", { path: "package/evil", type: "CharacterDevice" }, "no ordinary file"],
    ["a pipe", { path: "package/evil", type: "FIFO" }, "no ordinary file"],
  ])("refuses %s and goes on", async (_what, entry, reason) => {
    const { files, there, outside, refused } = await unpack([
      { path: "package/a.js" },
      entry,
      { path: "package/b.js" },
    ]);
    expect(files.map(({ path }) => path)).toEqual(["a.js", "b.js"]);
    expect(there).toEqual(["a.js", "b.js"]);
    expect(outside.toSorted()).toEqual(["a.tgz", "deep", "in"]);
    expect(refused).toEqual([{ path: entry.path, reason: expect.stringContaining(reason) as string }]);
  });

  it("writes through no link that came before", async () => {
    const entries: Entry[] = [
      { path: "package/d", type: "SymbolicLink", linkpath: "../.." },
      { path: "package/d/evil.js" },
    ];
    const { there, outside } = await unpack(entries);
    expect(there).toEqual(["d", "d/evil.js"]);
    expect(outside.toSorted()).toEqual(["a.tgz", "deep", "in"]);
  });

  it("refuses what is no tarball, and one that unpacks to more than a machine has room for", async () => {
    await using folder = await temporaryWorkspace({ "a.tgz": "no tarball, ".repeat(100) });
    const tarball = join(folder.cwd, "a.tgz");
    await expect(unpackTarball(tarball, folder.cwd)).rejects.toThrow();
    await writeFile(tarball, toTar([{ path: "package/big", size: 2 ** 31 }]));
    await expect(unpackTarball(tarball, folder.cwd)).rejects.toThrow("unpacks to more than");
    expect(existsSync(join(folder.cwd, "big"))).toBe(false);
  });
});
