import type { ErrorType, Principal, ToolResultStatus } from "@aiw/core";

/** Which tool a call was of. */
export interface AuditedTool {
  /** `package/tool`, or the bare name. */
  readonly id: string;
  readonly name: string;
  readonly package?: string;
  readonly version?: string;
  /** The kind of source it came from. */
  readonly source?: string;
  /** False for a name that no tool has. */
  readonly known: boolean;
}

/** What was decided on a call, and by whom. */
export interface AuditedVerdict {
  readonly decision: string;
  readonly reason: string;
  readonly rule?: string;
  readonly by: string;
}

/** How the question about a call was answered. */
export interface AuditedApproval {
  readonly decision: string;
  readonly reason?: string;
  /** How long the answer holds. */
  readonly scope?: string;
  /** An approver, a remembered answer, or nobody. */
  readonly by?: string;
  /** Who answered, where the approver says so. */
  readonly answeredBy?: string;
  /** True when the person changed the arguments, which are recorded as they ran. */
  readonly edited?: boolean;
  /** Milliseconds until the answer came. */
  readonly waitedMs?: number;
}

/** How a call ended; values of results are not recorded. */
export interface AuditedOutcome {
  readonly status: ToolResultStatus;
  readonly code?: string;
  readonly type?: ErrorType;
  /** False when the work may still be running; absent for a success. */
  readonly settled?: boolean;
  /** Why a call was refused, where no verdict says it. */
  readonly reason?: string;
  /** True when the caller was not given this outcome, since it could not be recorded in time. */
  readonly withheld?: boolean;
}

/** One call. */
export interface AuditCallEntry {
  readonly kind: "call";
  /** When the call ended, ISO 8601. */
  readonly time: string;
  readonly callId: string;
  readonly parentCallId?: string;
  readonly sessionId?: string;
  readonly turn?: number;
  readonly principal?: Principal;
  readonly tool: AuditedTool;
  readonly definitionHash?: string;
  /** Bounded, secrets masked; absent for what could not be read. */
  readonly arguments?: unknown;
  readonly verdict?: AuditedVerdict;
  readonly approval?: AuditedApproval;
  readonly outcome: AuditedOutcome;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly durationMs: number;
  readonly attempts: number;
}

/** Records that were lost while the sink failed and the buffer was full. */
export interface AuditGapEntry {
  readonly kind: "gap";
  readonly time: string;
  readonly dropped: number;
  /** When the first of them was lost, ISO 8601. */
  readonly since: string;
}

/** Lines before this record that are none: a writer was cut off. */
export interface AuditTornEntry {
  readonly kind: "torn";
  readonly time: string;
  readonly bytes: number;
  /** `sha256-…` of these bytes without the line break at their end. */
  readonly digest: string;
}

/** Files that rotation removed. */
export interface AuditRemovedEntry {
  readonly kind: "removed";
  readonly time: string;
  readonly files: number;
  /** The last record that was removed. */
  readonly through: ChainLink;
}

/** The writer found the trail other than it was left; what follows is whole again. */
export interface AuditBreakEntry {
  readonly kind: "break";
  readonly time: string;
  readonly reason: "head_missing" | "head_unreadable" | "head_differs" | "records_missing";
  /** The last record by the head. */
  readonly expected?: ChainLink;
  /** The last record that was there. */
  readonly found: ChainLink;
}

/** What is recorded, before it has a place in the chain. */
export type AuditEntry = AuditCallEntry | AuditGapEntry | AuditTornEntry | AuditRemovedEntry | AuditBreakEntry;

/** A place in the chain: what the next record follows. */
export interface ChainLink {
  /** Counts from 1; 0 before the first record. */
  readonly seq: number;
  /** Empty before the first record. */
  readonly hash: string;
}

/** A record as it is kept: an entry at its place in the chain. */
export type AuditRecord = AuditEntry & {
  readonly v: 1;
  readonly seq: number;
  /** The hash of the record before. */
  readonly prev: string;
  /** Of the canonical JSON of everything else here. */
  readonly hash: string;
};
