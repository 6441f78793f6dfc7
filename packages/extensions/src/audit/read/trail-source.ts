import type { Head } from "../file/head-file.ts";
import type { AuditChain } from "../audit-chain.ts";

/** One line of a trail, which should be a record. */
export interface TrailLine {
  /** The file, or the database. */
  readonly file: string;
  /** Counts from 1; in a database the number of the row. */
  readonly line: number;
  readonly bytes: Uint8Array;
  /** False for a last line without an end: it is still being written, or its writer was cut off. */
  readonly isEnded: boolean;
}

/** Where records are read from, while others may write. */
export interface TrailSource {
  readonly path: string;
  readonly kind: "file" | "database";
  /** How far the trail goes, as its writers say. */
  readHead(chain: AuditChain): Promise<Head>;
  /** Every line, oldest first, as they are at one moment. */
  lines(): AsyncIterable<TrailLine>;
  /** Changes when files are set aside or removed. */
  fingerprint(): Promise<string>;
}
