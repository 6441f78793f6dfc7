import { matchGlob } from "@aiw/core";
import { parseRecord } from "../audit-chain.ts";
import type { AuditCallEntry, AuditRecord } from "../audit-entry.ts";
import { decodeLine } from "../decode-line.ts";
import type { TrailSource } from "./trail-source.ts";

/** Which records of calls are wanted; everything named must fit. */
export interface TrailFilter {
  /** A glob on the full id or the name. */
  readonly tool?: string;
  readonly principal?: string;
  readonly session?: string;
  readonly status?: string;
  readonly code?: string;
  readonly callId?: string;
  /** Milliseconds since the epoch. */
  readonly since?: number;
  readonly until?: number;
}

/** A call's record as it was found. */
export type CallRecordFound = AuditRecord & AuditCallEntry;

/** What a query gives. */
export interface TrailMatches {
  /** The latest ones, oldest first. */
  readonly records: readonly CallRecordFound[];
  /** All that fit. */
  readonly matched: number;
  /** Lines that are no records: `verify` says more. */
  readonly unreadable: number;
}

/** Characters of records that are kept at a time. */
const MAX_CHARACTERS = 64 * 1024 * 1024;

/** Finds the latest records that fit, in one pass and bounded memory; hashes are not checked. */
export async function queryTrail(source: TrailSource, filter: TrailFilter, limit: number): Promise<TrailMatches> {
  const kept: { readonly record: CallRecordFound; readonly size: number }[] = [];
  let [matched, unreadable, size] = [0, 0, 0];
  for await (const { bytes } of source.lines()) {
    const record = parseRecord(decodeLine(bytes));
    if (record === undefined) unreadable += 1;
    if (record === undefined || !isCall(record) || !fits(record, filter)) continue;
    matched += 1;
    kept.push({ record, size: bytes.length });
    size += bytes.length;
    while (kept.length > limit || (size > MAX_CHARACTERS && kept.length > 1)) size -= kept.shift()?.size ?? 0;
  }
  return { records: kept.map(({ record }) => record), matched, unreadable };
}

/** A line of somebody else's may have the members of a record and other things in them. */
function isCall(record: AuditRecord): record is CallRecordFound {
  if (record.kind !== "call") return false;
  const { tool, outcome, callId, startedAt } = record as Partial<AuditCallEntry>;
  return (
    typeof tool?.id === "string" &&
    typeof tool.name === "string" &&
    typeof outcome?.status === "string" &&
    typeof callId === "string" &&
    Number.isFinite(startedAt)
  );
}

function fits(record: CallRecordFound, filter: TrailFilter): boolean {
  const { tool, callId, since = -Infinity, until = Infinity } = filter;
  const pairs = [
    [filter.principal, record.principal?.id],
    [filter.session, record.sessionId],
    [filter.status, record.outcome.status],
    [filter.code, record.outcome.code],
  ];
  return (
    pairs.every(([wanted, found]) => wanted === undefined || wanted === found) &&
    (tool === undefined || matchGlob(tool, record.tool.id) || matchGlob(tool, record.tool.name)) &&
    (callId === undefined || record.callId === callId || record.parentCallId === callId) &&
    record.startedAt >= since &&
    record.startedAt <= until
  );
}
