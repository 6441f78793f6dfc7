import { assertKnownOptions } from "@aiw/core";
import { AuditChain, CHAIN_START, parseRecord } from "./audit-chain.ts";
import type { AuditEntry, AuditRecord, ChainLink } from "./audit-entry.ts";
import type { AuditSink } from "./audit-sink.ts";

/** A sink that keeps records in memory. */
export interface MemorySink extends AuditSink {
  /** The records that are kept, oldest first; chained when they are read, beginning with the first that is kept. */
  readonly records: readonly AuditRecord[];
  /** Records that gave way to later ones. */
  readonly dropped: number;
}

/** How much a memory sink keeps. */
export interface MemorySinkOptions {
  /** Records kept, the oldest giving way; 10,000 unless named. */
  readonly maxRecords?: number;
}

/** Keeps records in memory, for tests and benchmarks. @throws AiwError `config_invalid` for an option nobody knows. */
export function memorySink(options: MemorySinkOptions = {}): MemorySink {
  assertKnownOptions("memorySink", options, ["maxRecords"]);
  const { maxRecords = 10_000 } = options;
  let kept: AuditEntry[] = [];
  let dropped = 0;
  return {
    append(entries) {
      kept.push(...entries);
      // Now and then: taking the first away moves all others.
      if (kept.length >= maxRecords * 2) giveWay();
    },
    get records() {
      giveWay();
      return chainAll(kept, { seq: dropped, hash: CHAIN_START.hash });
    },
    get dropped() {
      giveWay();
      return dropped;
    },
  };

  function giveWay(): void {
    const over = Math.max(0, kept.length - maxRecords);
    kept = over === 0 ? kept : kept.slice(over);
    dropped += over;
  }
}

function chainAll(entries: readonly AuditEntry[], start: ChainLink): AuditRecord[] {
  const chain = new AuditChain();
  let after = start;
  return entries.flatMap((entry) => {
    const sealed = chain.seal(entry, after);
    after = sealed;
    return parseRecord(sealed.line) ?? [];
  });
}
