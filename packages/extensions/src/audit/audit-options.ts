import type { ToolLog } from "@aiw/core";
import type { AuditSink } from "./audit-sink.ts";

/** How calls are recorded; exactly one of `file`, `database` and `sink` says where. */
export interface AuditOptions {
  /** `audit` unless named; two records of one executor need two names. */
  readonly name?: string;
  /** JSON Lines, with rotation. */
  readonly file?: string;
  /** An SQLite database. */
  readonly database?: string;
  readonly sink?: AuditSink;
  /**
   * What becomes of calls while records cannot be written: `block` refuses them and withholds the results of those that ran,
   * `warn` says so in the log and keeps records back within bounds; `block` unless named.
   */
  readonly onFailure?: "block" | "warn";
  /** Bytes after which the file is set aside; 16 MiB unless named. */
  readonly maxBytes?: number;
  /** Files set aside that are kept; 64 unless named. */
  readonly maxFiles?: number;
  /** Waits until the disk itself has each record; with `block` so unless false. */
  readonly sync?: boolean;
  /** Seals the chain: who does not have it cannot make a record that passes. At least 16 characters. */
  readonly key?: string;
  /** Texts that are masked wherever they occur, such as keys the host read from its environment. */
  readonly secrets?: readonly string[];
  /** False leaves the arguments of calls out; they are recorded, secrets masked, unless so. */
  readonly arguments?: boolean;
  /** Records held back while the sink fails, at most; later ones are counted and lost. 10,000 unless named. */
  readonly maxPending?: number;
  /** Milliseconds from a failure of the sink until it is tried again; 1,000 unless named. */
  readonly retryMs?: number;
  /** Told of failures of the sink; the executor's log unless named. */
  readonly log?: ToolLog;
}
