import { createHash, type Hash } from "node:crypto";
import { AiwError } from "@aiw/core";
import { AuditChain, CHAIN_START, parseRecord } from "../audit-chain.ts";
import type { AuditRecord, ChainLink } from "../audit-entry.ts";
import { decodeLine } from "../decode-line.ts";
import type { Head } from "../file/head-file.ts";
import type { TrailLine, TrailSource } from "./trail-source.ts";

/** A place where a trail is not as it was written. */
export interface TrailProblem {
  readonly file: string;
  /** Counts from 1; absent where the trail as a whole is meant. */
  readonly line?: number;
  readonly what: string;
}

/** What became of a trail since it was written. */
export interface TrailVerdict {
  readonly intact: boolean;
  readonly records: number;
  readonly calls: number;
  readonly first?: ChainLink;
  /** Note its hash elsewhere: a trail that is cut later than that shows by `expectHead`. */
  readonly last?: ChainLink;
  /** The first problems. */
  readonly problems: readonly TrailProblem[];
  /** All problems, also those that are not listed. */
  readonly problemCount: number;
  /** Lines that were cut off with their writer, and are recorded as such. */
  readonly torn: number;
  /** Records that were lost while they could not be written, as the trail itself says. */
  readonly lost: number;
}

/** How a trail is verified. */
export interface VerifyTrailOptions {
  /** The key that sealed it. */
  readonly key?: string;
  /** A hash noted earlier: the trail must have it. */
  readonly expectHead?: string;
}

/** Problems that are listed. */
const MAX_PROBLEMS = 20;

/** Times a trail is read again because its files changed meanwhile. */
const MAX_READS = 3;

/**
 * Checks every hash, every link between records, and the end by the head.
 * @throws AiwError `audit_failed` for a trail that is sealed with a key when none is given.
 */
export async function verifyTrail(source: TrailSource, options: VerifyTrailOptions = {}): Promise<TrailVerdict> {
  for (let read = 1; ; read += 1) {
    const before = await source.fingerprint();
    const verdict = await verifyOnce(source, options);
    if (verdict.intact || read === MAX_READS || (await source.fingerprint()) === before) return verdict;
  }
}

async function verifyOnce(source: TrailSource, { key, expectHead }: VerifyTrailOptions): Promise<TrailVerdict> {
  const chain = new AuditChain(key);
  const head = await source.readHead(chain);
  const check = new TrailCheck(chain, source.path, { head, expectHead });
  for await (const line of source.lines()) check.see(line);
  return check.end();
}

interface Expected {
  readonly head: Head;
  readonly expectHead: string | undefined;
}

/** Lines in a row that are no records. */
interface Region {
  readonly from: TrailLine;
  readonly hash: Hash;
  bytes: number;
  readonly record: AuditRecord | undefined;
}

class TrailCheck {
  readonly #chain: AuditChain;
  readonly #path: string;
  readonly #expected: Expected;
  readonly #problems: TrailProblem[] = [];
  #problemCount = 0;
  #records = 0;
  #calls = 0;
  #torn = 0;
  #lost = 0;
  #first: { readonly record: AuditRecord; readonly line: TrailLine } | undefined;
  #last: ChainLink | undefined;
  #region: Region | undefined;
  /** What rotation removed, by the records themselves. */
  #removed: ChainLink | undefined;
  #isStartRemoved = false;
  #hasExpected = false;

  constructor(chain: AuditChain, path: string, expected: Expected) {
    this.#chain = chain;
    this.#path = path;
    this.#expected = expected;
  }

  see(line: TrailLine): void {
    const record = this.#chain.read(decodeLine(line.bytes));
    if (record === undefined) return this.#gather(line);
    const region = this.#region;
    this.#region = undefined;
    const isExplained = region === undefined || this.#explain(region, record);
    this.#link(record, line, region === undefined || isExplained);
    this.#records += 1;
    this.#last = { seq: record.seq, hash: record.hash };
    this.#count(record, line);
    this.#compareHead(record, line);
  }

  end(): TrailVerdict {
    if (this.#region !== undefined) this.#reportRegion(this.#region);
    this.#judgeStart();
    this.#judgeEnd();
    return {
      intact: this.#problemCount === 0,
      records: this.#records,
      calls: this.#calls,
      ...(this.#first !== undefined && { first: { seq: this.#first.record.seq, hash: this.#first.record.hash } }),
      ...(this.#last !== undefined && { last: this.#last }),
      problems: this.#problems,
      problemCount: this.#problemCount,
      torn: this.#torn,
      lost: this.#lost,
    };
  }

  #gather(line: TrailLine): void {
    const record = parseRecord(decodeLine(line.bytes));
    if (record !== undefined && !this.#chain.isOfKind(record.hash)) this.#assertKey();
    if (this.#region === undefined) this.#region = { from: line, hash: createHash("sha256"), bytes: 0, record };
    else {
      this.#region.hash.update("\n");
      this.#region.bytes += 1;
    }
    this.#region.hash.update(line.bytes);
    this.#region.bytes += line.bytes.length;
  }

  /** Where the head or a record is sealed without a key, the trail is, and a line that looks otherwise is a strange one. */
  #assertKey(): void {
    if (this.#chain.isKeyed || this.#records > 0 || typeof this.#expected.head !== "string") return;
    throw new AiwError("audit_failed", `${this.#path} is sealed with a key, without which nothing can be said of it.`, {
      fix: "Set the environment variable that extensions.audit.key names, or name it: aiw audit verify --key-env NAME",
    });
  }

  /** True for lines that a writer recorded as cut off before it went on. */
  #explain({ hash, bytes, ...region }: Region, record: AuditRecord): boolean {
    const digest = `sha256-${hash.digest("base64")}`;
    if (record.kind === "torn" && record.bytes === bytes && record.digest === digest) {
      this.#torn += 1;
      return true;
    }
    this.#reportRegion({ hash, bytes, ...region });
    return false;
  }

  #reportRegion({ from, record }: Region): void {
    if (record !== undefined)
      return this.#report(
        this.#chain.isOfKind(record.hash) ? "the record was changed" : "the record is sealed in another way",
        from,
      );
    this.#report(
      from.isEnded ? "the line is no record" : "the line has no end: its writer was cut off, or the file was",
      from,
    );
  }

  #link(record: AuditRecord, line: TrailLine, isLinked: boolean): void {
    const last = this.#last;
    if (last === undefined) {
      this.#first ??= { record, line };
      return;
    }
    if (!isLinked || (record.seq === last.seq + 1 && record.prev === last.hash)) return;
    if (record.seq > last.seq + 1)
      return this.#report(`records ${last.seq + 1} to ${record.seq - 1} are missing before it`, line);
    this.#report(`record ${record.seq} does not follow record ${last.seq}`, line);
  }

  #count(record: AuditRecord, line: TrailLine): void {
    if (record.kind === "call") this.#calls += 1;
    if (record.kind === "gap") this.#lost += record.dropped;
    if (record.kind === "break") this.#report(`the writer found the trail changed: ${record.reason}`, line);
    if (record.kind !== "removed") return;
    if (this.#removed === undefined || record.through.seq > this.#removed.seq) this.#removed = record.through;
    const start = this.#first?.record;
    if (start !== undefined && record.through.seq >= start.seq - 1)
      this.#isStartRemoved ||= record.through.seq > start.seq - 1 || record.through.hash === start.prev;
  }

  #compareHead(record: AuditRecord, line: TrailLine): void {
    const { head, expectHead } = this.#expected;
    if (record.hash === expectHead) this.#hasExpected = true;
    if (typeof head !== "string" && head.seq === record.seq && head.hash !== record.hash)
      this.#report("the head names another record of this number", line);
  }

  #judgeStart(): void {
    if (this.#first === undefined) return;
    const { record, line } = this.#first;
    if (record.seq === CHAIN_START.seq + 1 && record.prev === CHAIN_START.hash) return;
    if (!this.#isStartRemoved) this.#report(`records before record ${record.seq} are missing`, line);
  }

  #judgeEnd(): void {
    const { head, expectHead } = this.#expected;
    const last = this.#last?.seq ?? 0;
    if (expectHead !== undefined && !this.#hasExpected)
      this.#report(`no record has the hash ${expectHead.slice(0, 100)}`, undefined);
    if (head === "unreadable")
      this.#report("its head cannot be read: whether the end is missing is unknown", undefined);
    if (head === "missing" && expectHead === undefined)
      this.#report("its head is missing: whether the end is missing is unknown", undefined);
    if (typeof head !== "string" && head.seq > last)
      this.#report(`records ${last + 1} to ${head.seq} are missing at the end`, undefined);
  }

  #report(what: string, at: TrailLine | undefined): void {
    this.#problemCount += 1;
    if (this.#problems.length >= MAX_PROBLEMS) return;
    this.#problems.push({ file: at?.file ?? this.#path, ...(at !== undefined && { line: at.line }), what });
  }
}
