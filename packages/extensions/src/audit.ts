/** Hosts enter here for the record of calls. */
export { audit, type AuditExtension } from "./audit/audit.ts";
export { AuditChain, CHAIN_START, type SealedRecord } from "./audit/audit-chain.ts";
export type {
  AuditBreakEntry,
  AuditCallEntry,
  AuditedApproval,
  AuditedOutcome,
  AuditedTool,
  AuditedVerdict,
  AuditEntry,
  AuditGapEntry,
  AuditRecord,
  AuditRemovedEntry,
  AuditTornEntry,
  ChainLink,
} from "./audit/audit-entry.ts";
export type { AuditOptions } from "./audit/audit-options.ts";
export type { AuditSink } from "./audit/audit-sink.ts";
export type { AuditState } from "./audit/audit-trail.ts";
export { configure, locateTrail, readKey, type AuditSettings } from "./audit/configure-audit.ts";
export { databaseSink, type DatabaseSinkOptions } from "./audit/database/database-sink.ts";
export { fileSink, type FileSink, type FileSinkOptions } from "./audit/file/file-sink.ts";
export type { AuditFile, AuditFileStat, AuditFs, AuditPlace } from "./audit/file/audit-fs.ts";
export { memorySink, type MemorySink, type MemorySinkOptions } from "./audit/memory-sink.ts";
export { openTrail } from "./audit/read/open-trail.ts";
export { queryTrail, type CallRecordFound, type TrailFilter, type TrailMatches } from "./audit/read/query-trail.ts";
export type { TrailLine, TrailSource } from "./audit/read/trail-source.ts";
export {
  verifyTrail,
  type TrailProblem,
  type TrailVerdict,
  type VerifyTrailOptions,
} from "./audit/read/verify-trail.ts";
