import {
  appendFile,
  chmod,
  link,
  mkdir,
  readdir,
  readFile,
  stat,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeEntry, makeFolderForTest, verifyFile } from "../__fixtures__/audited-tools.ts";
import { fileSource } from "../read/file-source.ts";
import { queryTrail } from "../read/query-trail.ts";
import { NODE_FS, type AuditFile, type AuditFs } from "./audit-fs.ts";
import { fileSink } from "./file-sink.ts";

async function makeTrail(): Promise<{ readonly folder: string; readonly file: string }> {
  const folder = await makeFolderForTest();
  return { folder, file: join(folder, "records", "audit.jsonl") };
}

/** A disk whose operations fail: those whose number the function names, counted from 1. */
function failingFs(fails: (operation: number) => boolean, code = "ENOSPC"): AuditFs & { readonly operations: number } {
  let operations = 0;
  const guard =
    <Rest extends unknown[], Value>(run: (...rest: Rest) => Promise<Value>) =>
    async (...rest: Rest): Promise<Value> => {
      operations += 1;
      if (fails(operations)) throw Object.assign(new TypeError(`${code}: the disk fails`), { code });
      return run(...rest);
    };
  const guardFile = (file: AuditFile): AuditFile => ({
    stat: guard(() => file.stat()),
    read: guard((buffer, place) => file.read(buffer, place)),
    write: guard((buffer, place) => file.write(buffer, place)),
    truncate: guard((size) => file.truncate(size)),
    datasync: guard(() => file.datasync()),
    // A handle is let go of whatever the disk says.
    close: () => file.close(),
  });
  return {
    get operations() {
      return operations;
    },
    open: guard(async (path, flags, mode) => guardFile(await NODE_FS.open(path, flags, mode))),
    lstat: guard((path) => NODE_FS.lstat(path)),
    readdir: guard((path) => NODE_FS.readdir(path)),
    rename: guard((from, to) => NODE_FS.rename(from, to)),
    unlink: guard((path) => NODE_FS.unlink(path)),
    mkdir: guard((path) => NODE_FS.mkdir(path)),
    realpath: guard((path) => NODE_FS.realpath(path)),
  };
}

describe("fileSink", () => {
  it("writes one line for each record, for its user alone (SEC-LOG-1)", async () => {
    const { file } = await makeTrail();
    const sink = fileSink(file);
    await sink.append([makeEntry(1), makeEntry(2, { callId: "two\nlines" })]);
    await sink.append([makeEntry(3)]);
    await sink.close();
    const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual([1, 2, 3]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(file, ".."))).mode & 0o777).toBe(0o700);
    expect(await verifyFile(file)).toMatchObject({ intact: true, records: 3, calls: 3, torn: 0 });
    expect((await readdir(join(file, ".."))).toSorted()).toEqual(["audit.jsonl", "audit.jsonl.head"]);
  });

  it("goes on where another writer, or an earlier one, ended", async () => {
    const { file } = await makeTrail();
    const [one, other] = [fileSink(file), fileSink(file)];
    for (let number = 0; number < 5; number += 1) {
      await one.append([makeEntry(number)]);
      await other.append([makeEntry(number)]);
    }
    await one.close?.();
    await one.append([makeEntry(9)]);
    await Promise.all([one.close?.(), other.close?.()]);
    expect(await verifyFile(file)).toMatchObject({ intact: true, records: 11 });
  });

  it("sets files aside by size, removes those that are too many, and the chain runs through", async () => {
    const { file, folder } = await makeTrail();
    const sink = fileSink(file, { maxBytes: 2000, maxFiles: 3 });
    for (let number = 0; number < 60; number += 1) await sink.append([makeEntry(number)]);
    await sink.close();
    const names = (await readdir(join(folder, "records"))).filter((name) => /\d/.test(name)).toSorted();
    expect(names).toHaveLength(3);
    const verdict = await verifyFile(file);
    expect(verdict).toMatchObject({ intact: true, problems: [] });
    expect(verdict.first?.seq).toBeGreaterThan(1);
  });

  it("goes on after a line that was cut off, which stays visible", async () => {
    const { file } = await makeTrail();
    const sink = fileSink(file);
    await sink.append([makeEntry(1), makeEntry(2)]);
    await sink.close();
    const fragment = Buffer.from('{"arguments":{"text":"gr\u00fc', "utf8").subarray(0, -1);
    await appendFile(file, fragment);
    expect(await verifyFile(file)).toMatchObject({ intact: false, problems: [{ line: 3 }] });
    await sink.append([makeEntry(3)]);
    await sink.close();
    expect(await verifyFile(file)).toMatchObject({ intact: true, torn: 1, calls: 3, records: 4 });
    expect((await readFile(file)).includes(fragment)).toBe(true);
  });

  it("goes on after a first line that was cut off", async () => {
    const { file } = await makeTrail();
    const sink = fileSink(file);
    await sink.open();
    await writeFile(file, '{"half');
    await sink.append([makeEntry(1)]);
    await sink.close();
    expect(await verifyFile(file)).toMatchObject({ intact: true, torn: 1, calls: 1 });
  });

  it("begins the next file where a writer was killed between two", async () => {
    const { file, folder } = await makeTrail();
    const sink = fileSink(file);
    await sink.append([makeEntry(1), makeEntry(2)]);
    await sink.close();
    await NODE_FS.rename(file, join(folder, "records", "audit.000000000002.jsonl"));
    expect(await verifyFile(file)).toMatchObject({ intact: true, records: 2 });
    await sink.append([makeEntry(3)]);
    await sink.close();
    expect(await verifyFile(file)).toMatchObject({ intact: true, records: 3 });
  });

  it("does not hide what was taken away before it went on", async () => {
    const { file } = await makeTrail();
    const sink = fileSink(file);
    await sink.append([makeEntry(1)]);
    const size = (await stat(file)).size;
    await sink.append([makeEntry(2), makeEntry(3)]);
    await sink.close();
    await truncate(file, size);
    expect((await verifyFile(file)).problems[0]?.what).toBe("records 2 to 3 are missing at the end");
    await sink.append([makeEntry(4)]);
    await sink.close();
    const { intact, problems } = await verifyFile(file);
    expect(intact).toBe(false);
    expect(problems).toEqual([
      expect.objectContaining({ line: 2, what: expect.stringContaining("records_missing") as string }),
    ]);
  });

  it("takes back what it could not write whole, whichever operation fails", async () => {
    for (let nth = 1; ; nth += 1) {
      const { file } = await makeTrail();
      const fs = failingFs((operation) => operation === nth);
      const sink = fileSink(file, { fs, sync: true, maxBytes: 700, maxFiles: 1 });
      const written: string[] = [];
      for (let number = 1; number <= 5; number += 1) {
        const entry = makeEntry(number);
        // A trail tries again with the same entries.
        await sink.append([entry]).catch(() => sink.append([entry]));
        written.push(entry.callId);
      }
      await sink.close();
      const verdict = await verifyFile(file);
      expect(verdict, `operation ${nth}`).toMatchObject({ intact: true });
      const { records } = await queryTrail(fileSource(file), {}, 100);
      const ids = records.map(({ callId }) => callId);
      expect(ids, `operation ${nth}`).toEqual(written.slice(-ids.length));
      expect(ids.length).toBeGreaterThan(1);
      if (fs.operations < nth) break;
    }
  }, 60_000);

  it("leaves a whole trail when the disk fails for good", async () => {
    for (let nth = 20; nth < 60; nth += 7) {
      const { file } = await makeTrail();
      const fs = failingFs((operation) => operation >= nth);
      const sink = fileSink(file, { fs });
      let failures = 0;
      for (let number = 1; number <= 12; number += 1)
        await sink.append([makeEntry(number)]).catch(() => (failures += 1));
      await sink.close();
      expect(failures).toBeGreaterThan(0);
      const mended = fileSink(file);
      // What failed for good could not take its lock away either: it is this process's own.
      await NODE_FS.unlink(`${file}.lock`).catch(() => undefined);
      await mended.append([makeEntry(99)]);
      await mended.close?.();
      expect(await verifyFile(file)).toMatchObject({ intact: true });
    }
  });

  it.each(["link", "hard link", "folder"])("does not write through a %s in its place", async (kind) => {
    const { folder, file } = await makeTrail();
    const target = join(folder, "target");
    await writeFile(target, "");
    await mkdir(join(file, ".."));
    if (kind === "link") await symlink(target, file);
    else if (kind === "hard link") await link(target, file);
    else await mkdir(file);
    await expect(fileSink(file).append([makeEntry(1)])).rejects.toThrow();
    expect(await readFile(target, "utf8")).toBe("");
  });

  it("does not append to a file of something else", async () => {
    const { folder } = await makeTrail();
    const file = join(folder, "package.json");
    await writeFile(file, '{"name":"x"}\n');
    await expect(fileSink(file).append([makeEntry(1)])).rejects.toMatchObject({ code: "audit_failed" });
    expect(await readFile(file, "utf8")).toBe('{"name":"x"}\n');
  });

  it("stays in the folder it is held to, links resolved (SEC-FS-1)", async () => {
    const { folder } = await makeTrail();
    const [project, outside] = [join(folder, "project"), join(folder, "project-outside")];
    await Promise.all([mkdir(project), mkdir(outside)]);
    await symlink(outside, join(project, ".aiw"));
    const sink = fileSink(join(project, ".aiw", "deep", "audit.jsonl"), { within: project });
    await expect(sink.append([makeEntry(1)])).rejects.toMatchObject({ code: "audit_failed" });
    expect(await readdir(outside)).toEqual([]);
  });

  it("with a key does not go on a trail that was begun without one, nor the other way round", async () => {
    const key = "a key of many characters";
    for (const [first, second] of [
      [{}, { key }],
      [{ key }, {}],
    ] as const) {
      const { file } = await makeTrail();
      const sink = fileSink(file, first);
      await sink.append([makeEntry(1)]);
      await sink.close();
      await expect(fileSink(file, second).append([makeEntry(2)])).rejects.toMatchObject({ code: "config_invalid" });
    }
  });

  it("fails where the folder cannot be written", async ({ skip }) => {
    if (process.getuid?.() === 0) skip("root writes everywhere");
    const { folder } = await makeTrail();
    await chmod(folder, 0o500);
    await expect(fileSink(join(folder, "audit.jsonl")).open?.()).rejects.toMatchObject({ code: "EACCES" });
    await chmod(folder, 0o700);
  });
});
