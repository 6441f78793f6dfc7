import type { DatabaseSync } from "node:sqlite";
import { parseHead, type Head } from "../file/head-file.ts";
import type { TrailLine, TrailSource } from "./trail-source.ts";

/** A database of records, opened for reading alone. */
export function databaseSource(path: string): TrailSource {
  return {
    path,
    kind: "database",
    async readHead(chain): Promise<Head> {
      using open = await openForReading(path);
      const row = open.database.prepare("SELECT head FROM audit_head").get();
      return row === undefined ? "missing" : parseHead(String(row["head"]), chain);
    },
    lines: () => readRows(path),
    fingerprint: () => Promise.resolve(""),
  };
}

async function* readRows(path: string): AsyncGenerator<TrailLine> {
  using open = await openForReading(path);
  const rows = open.database.prepare("SELECT seq, record FROM audit_records ORDER BY seq").iterate();
  for (const row of rows)
    yield { file: path, line: Number(row["seq"]), bytes: Buffer.from(String(row["record"])), isEnded: true };
}

interface Reading extends Disposable {
  readonly database: DatabaseSync;
}

async function openForReading(path: string): Promise<Reading> {
  const { DatabaseSync: Database } = await import("node:sqlite");
  const database = new Database(path, { readOnly: true, timeout: 1000 });
  return { database, [Symbol.dispose]: () => database.close() };
}
