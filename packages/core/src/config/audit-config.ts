/** One record of every call. */
export interface AuditConfig {
  /** JSON Lines; `.aiw/audit.jsonl` unless named. */
  readonly file?: string;
  /** An SQLite database in place of the file. */
  readonly database?: string;
  /** What becomes of calls while records cannot be written; `block` unless named. */
  readonly onFailure?: "block" | "warn";
  /** Bytes after which the file is set aside. */
  readonly maxBytes?: number;
  /** Files set aside that are kept. */
  readonly maxFiles?: number;
  /** Waits until the disk itself has each record. */
  readonly sync?: boolean;
  /** False leaves the arguments of calls out. */
  readonly arguments?: boolean;
  /** Names the environment variable with the key that seals the chain. */
  readonly key?: { readonly $env: string };
}
