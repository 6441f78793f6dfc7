import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeEntry, makeFolderForTest, verifyFile } from "../__fixtures__/audited-tools.ts";
import { AuditChain } from "../audit-chain.ts";
import { databaseSink } from "../database/database-sink.ts";
import { fileSink } from "../file/file-sink.ts";
import { databaseSource } from "./database-source.ts";
import { openTrail } from "./open-trail.ts";
import { queryTrail } from "./query-trail.ts";
import { verifyTrail } from "./verify-trail.ts";

const run = promisify(execFile);

const KEY = "a key of many characters";

type Mutation = (lines: string[], at: number, seed: number) => void;

/** Every way to change a trail without its key. */
const MUTATIONS: { readonly [name: string]: Mutation } = {
  alter: (lines, at, seed) => {
    const line = lines[at] ?? "";
    const place = seed % line.length;
    lines[at] = line.slice(0, place) + (line[place] === "1" ? "2" : "1") + line.slice(place + 1);
  },
  drop: (lines, at) => void lines.splice(at, 1),
  swap: (lines, at) => {
    const other = (at + 1) % lines.length;
    [lines[at], lines[other]] = [lines[other] ?? "", lines[at] ?? ""];
  },
  repeat: (lines, at) => void lines.splice(at, 0, lines[at] ?? ""),
  insert: (lines, at) => {
    const forged = new AuditChain("another key of many characters").seal(makeEntry(99), { seq: at, hash: "" });
    lines.splice(at, 0, forged.line);
  },
  insertNothing: (lines, at) => void lines.splice(at, 0, ""),
  truncate: (lines, at) => void lines.splice(at),
};

describe("verifyTrail", () => {
  it("finds every change of a trail, and names its place", async () => {
    const folder = await makeFolderForTest();
    const numbers = fc.array(fc.nat(1000), { minLength: 2, maxLength: 8 });
    const keys = fc.constantFrom(undefined, KEY);
    await fc.assert(
      fc.asyncProperty(
        numbers,
        keys,
        fc.constantFrom(...Object.keys(MUTATIONS)),
        fc.nat(),
        async (given, key, name, seed) => {
          const file = join(folder, `${crypto.randomUUID()}.jsonl`);
          const options = key === undefined ? {} : { key };
          const sink = fileSink(file, options);
          await sink.append(given.map((number) => makeEntry(number)));
          await sink.close?.();
          expect(await verifyFile(file, options)).toMatchObject({ intact: true, records: given.length });
          const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
          MUTATIONS[name]?.(lines, seed % lines.length, seed);
          await writeFile(file, lines.map((line) => `${line}\n`).join(""));
          const { intact, problems } = await verifyFile(file, options);
          expect(intact).toBe(false);
          expect(problems[0]?.file).toBe(file);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("tells a byte order mark and bytes that are no text from the record they stand in", async () => {
    const file = join(await makeFolderForTest(), "audit.jsonl");
    const sink = fileSink(file);
    await sink.append([makeEntry(1, { callId: "\ufffd" })]);
    await sink.close?.();
    const bytes = await readFile(file);
    for (const changed of [
      Buffer.concat([Buffer.from("\ufeff"), bytes]),
      Buffer.from(bytes.toString("latin1").replace("\u00ef\u00bf\u00bd", "\u00ff"), "latin1"),
    ]) {
      await writeFile(file, changed);
      expect(await verifyFile(file)).toMatchObject({ intact: false });
    }
  });

  it("finds a trail that was cut and whose head was forged, by a hash noted earlier", async () => {
    const file = join(await makeFolderForTest(), "audit.jsonl");
    const sink = fileSink(file);
    await sink.append([makeEntry(1)]);
    const [text, head] = [await readFile(file), await readFile(`${file}.head`)];
    await sink.append([makeEntry(2)]);
    await sink.close?.();
    const { last } = await verifyFile(file);
    await Promise.all([writeFile(file, text), writeFile(`${file}.head`, head)]);
    expect(await verifyFile(file)).toMatchObject({ intact: true });
    expect(await verifyFile(file, { expectHead: last?.hash ?? "" })).toMatchObject({ intact: false });
  });

  it("finds a record that another one took the place of, sealed for that place (SEC-LOG-3)", async () => {
    const file = join(await makeFolderForTest(), "audit.jsonl");
    const sink = fileSink(file);
    await sink.append([1, 2, 3, 4].map((number) => makeEntry(number)));
    await sink.close?.();
    const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
    const chain = new AuditChain();
    const first = chain.read(lines[0] ?? "");
    if (first === undefined) throw new Error("the first record cannot be read");
    lines[1] = chain.seal(makeEntry(99), first).line;
    await writeFile(file, lines.map((line) => `${line}\n`).join(""));
    expect(await verifyFile(file)).toMatchObject({
      intact: false,
      problems: [{ line: 3, what: "record 3 does not follow record 2" }],
    });
  });

  it("asks for the key of a trail that has one, and believes no other", async () => {
    const file = join(await makeFolderForTest(), "audit.jsonl");
    const sink = fileSink(file, { key: KEY });
    await sink.append([makeEntry(1)]);
    await sink.close?.();
    await expect(verifyFile(file)).rejects.toMatchObject({ code: "audit_failed" });
    expect(await verifyFile(file, { key: "another key of many characters" })).toMatchObject({ intact: false });
  });

  it("finds one whole chain that processes wrote at the same time", async () => {
    const file = join(await makeFolderForTest(), "audit.jsonl");
    const require = createRequire(import.meta.url);
    const [sinkUrl, entryUrl] = [
      new URL("../file/file-sink.ts", import.meta.url).href,
      pathToFileURL(require.resolve("@aiw/core")).href,
    ];
    expect(entryUrl).toMatch(/\.(?:ts|js)$/);
    const code = `
      import { fileSink } from ${JSON.stringify(sinkUrl)};
      const sink = fileSink(process.env.TRAIL, { maxBytes: 4000, maxFiles: 100 });
      for (let number = 0; number < 25; number += 1) {
        const entry = { kind: "call", time: new Date().toISOString(), callId: process.pid + "-" + number,
          tool: { id: "t", name: "t", known: true }, outcome: { status: "ok" }, startedAt: Date.now(), durationMs: 1, attempts: 1 };
        for (;;) { try { await sink.append([entry]); break; } catch (error) { if (error.code !== "audit_failed") throw error; } }
      }
      await sink.close();`;
    const writers = [1, 2, 3].map(() =>
      run(process.execPath, ["--conditions=aiw-source", "--input-type=module", "-e", code], {
        cwd: import.meta.dirname,
        env: { ...process.env, TRAIL: file },
        timeout: 60_000,
      }),
    );
    await Promise.all(writers);
    expect(await verifyFile(file)).toMatchObject({ intact: true, calls: 75, torn: 0 });
  }, 90_000);

  it("reads a database as it reads files, and finds what was changed in it", async () => {
    const path = join(await makeFolderForTest(), "deep", "audit.db");
    const sink = databaseSink(path);
    const other = databaseSink(path);
    await sink.append([makeEntry(1), makeEntry(2)]);
    await other.append([makeEntry(3)]);
    await sink.append([makeEntry(4)]);
    await Promise.all([sink.close?.(), other.close?.()]);
    const source = await openTrail(path);
    expect(source?.kind).toBe("database");
    if (source === undefined) return;
    expect(await verifyTrail(source)).toMatchObject({ intact: true, records: 4 });
    expect((await queryTrail(source, { callId: "call-3" }, 10)).matched).toBe(1);
    const { DatabaseSync } = await import("node:sqlite");
    const database = new DatabaseSync(path);
    expect(() => database.exec("DELETE FROM audit_records WHERE seq = 2")).toThrow("only added");
    database.exec("DROP TRIGGER audit_records_stay; DELETE FROM audit_records WHERE seq = 4");
    expect(await verifyTrail(databaseSource(path))).toMatchObject({
      intact: false,
      problems: [{ what: "records 4 to 4 are missing at the end" }],
    });
    database.close();
    await sink.append([makeEntry(5)]);
    await sink.close?.();
    expect((await verifyTrail(source)).problems[0]?.what).toContain("records_missing");
  });
});
