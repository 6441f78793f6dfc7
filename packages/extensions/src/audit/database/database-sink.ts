import { dirname, resolve } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { AiwError, assertKnownOptions } from "@aiw/core";
import { AuditChain, CHAIN_START, parseRecord, type SealedRecord } from "../audit-chain.ts";
import type { AuditEntry, ChainLink } from "../audit-entry.ts";
import type { AuditSink } from "../audit-sink.ts";
import { FILE_MODE, NODE_FS, OPEN } from "../file/audit-fs.ts";
import { parseHead, toHead, type Head } from "../file/head-file.ts";
import { makeFolder } from "../file/make-folder.ts";
import { judgeHead } from "../file/trail-position.ts";

/** How a database of records is written. */
export interface DatabaseSinkOptions {
  /** Waits until the disk itself has each batch; no unless named. */
  readonly sync?: boolean;
  /** Seals the chain. */
  readonly key?: string;
  /** A folder that the database's folder must lie in, links resolved. */
  readonly within?: string;
  /** Milliseconds to wait for another writer, during which this process does nothing else; 500 unless named. */
  readonly busyMs?: number;
}

/** Rows are only added: what changes or removes one is refused by the database itself, and shows in the chain anyway. */
const SCHEMA = `
CREATE TABLE IF NOT EXISTS audit_records (
  seq INTEGER PRIMARY KEY, time TEXT NOT NULL, kind TEXT NOT NULL, call_id TEXT, tool_id TEXT, principal TEXT,
  session_id TEXT, status TEXT, code TEXT, record TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS audit_records_by_call ON audit_records (call_id);
CREATE INDEX IF NOT EXISTS audit_records_by_time ON audit_records (time);
CREATE TABLE IF NOT EXISTS audit_head (only_row INTEGER PRIMARY KEY CHECK (only_row = 1), head TEXT NOT NULL) STRICT;
CREATE TRIGGER IF NOT EXISTS audit_records_stay BEFORE DELETE ON audit_records
  BEGIN SELECT RAISE(ABORT, 'records are only added'); END;
CREATE TRIGGER IF NOT EXISTS audit_records_stand BEFORE UPDATE ON audit_records
  BEGIN SELECT RAISE(ABORT, 'records are only added'); END;
`;

const INSERT =
  "INSERT INTO audit_records (seq, time, kind, call_id, tool_id, principal, session_id, status, code, record) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
const SET_HEAD =
  "INSERT INTO audit_head (only_row, head) VALUES (1, ?) ON CONFLICT (only_row) DO UPDATE SET head = excluded.head";

/**
 * Writes records to a table of an SQLite database, in the chain that files have (SEC-LOG-3). `node:sqlite` is loaded at the
 * first record; releases of Node that call it experimental say so once on stderr.
 * @throws AiwError `config_invalid` for a key that is too short, and an option nobody knows.
 */
export function databaseSink(path: string, options: DatabaseSinkOptions = {}): AuditSink {
  assertKnownOptions("databaseSink", options, ["sync", "key", "within", "busyMs"]);
  return new DatabaseSink(resolve(path), options);
}

interface OpenDatabase {
  readonly database: DatabaseSync;
  readonly last: StatementSync;
  readonly head: StatementSync;
  readonly insert: StatementSync;
  readonly setHead: StatementSync;
}

class DatabaseSink implements AuditSink {
  readonly path: string;
  readonly #chain: AuditChain;
  readonly #options: DatabaseSinkOptions;
  #open: OpenDatabase | undefined;

  constructor(path: string, options: DatabaseSinkOptions) {
    this.path = path;
    this.#chain = new AuditChain(options.key);
    this.#options = options;
  }

  async open(): Promise<void> {
    this.#open ??= await openDatabase(this.path, this.#options);
  }

  append(entries: readonly AuditEntry[]): void | Promise<void> {
    if (this.#open !== undefined) return this.#write(this.#open, entries);
    return this.open().then(() => this.append(entries));
  }

  close(): void {
    const open = this.#open;
    this.#open = undefined;
    open?.database.close();
  }

  #write(open: OpenDatabase, entries: readonly AuditEntry[]): void {
    const { database } = open;
    try {
      database.exec("BEGIN IMMEDIATE");
      let link = this.#findLast(open);
      const found = this.#judge(open, link);
      for (const entry of [...found, ...entries]) {
        const sealed = this.#chain.seal(entry, link);
        insert(open, entry, sealed);
        link = sealed;
      }
      open.setHead.run(toHead(link, this.#chain));
      database.exec("COMMIT");
    } catch (error) {
      if (database.isTransaction) database.exec("ROLLBACK");
      throw error;
    }
  }

  #findLast({ last }: OpenDatabase): ChainLink {
    const row = last.get();
    if (row === undefined) return CHAIN_START;
    const record = parseRecord(String(row["record"]));
    if (record !== undefined && !this.#chain.isOfKind(record.hash))
      throw new AiwError(
        "config_invalid",
        `${this.path} was begun ${this.#chain.isKeyed ? "without" : "with"} a key.`,
        {
          fix: "Name another database, or set the key as it was.",
        },
      );
    return { seq: Number(row["seq"]), hash: record?.hash ?? "" };
  }

  #judge({ head }: OpenDatabase, link: ChainLink): AuditEntry[] {
    const row = head.get();
    const said: Head = row === undefined ? "missing" : parseHead(String(row["head"]), this.#chain);
    const reason = judgeHead(said, link, link.seq === 0);
    if (reason === undefined) return [];
    const expected = typeof said === "string" ? {} : { expected: said };
    return [{ kind: "break", time: new Date().toISOString(), reason, found: link, ...expected }];
  }
}

/** Made for its user alone, and never through a link. */
async function openDatabase(path: string, options: DatabaseSinkOptions): Promise<OpenDatabase> {
  const { sync = false, within, busyMs = 500 } = options;
  await makeFolder(dirname(path), within, NODE_FS);
  const stat = await NODE_FS.lstat(path);
  if (stat === undefined) await (await NODE_FS.open(path, OPEN.create, FILE_MODE)).close();
  else if (!stat.isFile() || stat.nlink > 1)
    throw new AiwError("audit_failed", `${path} is no file of its own.`, {
      fix: "Remove it, or name another file: a link or device is not written to.",
    });
  const { DatabaseSync: Database } = await import("node:sqlite");
  const database = new Database(path, { timeout: busyMs });
  try {
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${sync ? "FULL" : "NORMAL"};`);
    database.exec(SCHEMA);
    return {
      database,
      last: database.prepare("SELECT seq, record FROM audit_records ORDER BY seq DESC LIMIT 1"),
      head: database.prepare("SELECT head FROM audit_head"),
      insert: database.prepare(INSERT),
      setHead: database.prepare(SET_HEAD),
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

function insert({ insert: statement }: OpenDatabase, entry: AuditEntry, { seq, line }: SealedRecord): void {
  const call = entry.kind === "call" ? entry : undefined;
  statement.run(
    seq,
    entry.time,
    entry.kind,
    call?.callId ?? null,
    call?.tool.id ?? null,
    call?.principal?.id ?? null,
    call?.sessionId ?? null,
    call?.outcome.status ?? null,
    call?.outcome.code ?? null,
    line,
  );
}
