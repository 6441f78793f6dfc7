import type { AuditEntry } from "./audit-entry.ts";

/** Where records go. */
export interface AuditSink {
  /** Names the place to whoever is told that it fails. */
  readonly path?: string;
  /** Makes ready; throws when records could not be written. */
  open?(): void | Promise<void>;
  /** Writes all entries in their order, or none: what throws is tried again with the same entries. */
  append(entries: readonly AuditEntry[]): void | Promise<void>;
  /** Lets go of everything; a later `append` opens it again. */
  close?(): void | Promise<void>;
}
