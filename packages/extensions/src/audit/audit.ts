import { AiwError, ToolError, type ToolLog, type ToolResult } from "@aiw/core";
import type { Extension, ExtensionCall } from "@aiw/executor";
import type { AuditSink } from "./audit-sink.ts";
import { AuditTrail, type AuditState } from "./audit-trail.ts";
import { databaseSink } from "./database/database-sink.ts";
import { fileSink } from "./file/file-sink.ts";
import { toAuditEntry, type AuditEntryOptions } from "./to-audit-entry.ts";

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

/** The extension that records calls. */
export interface AuditExtension extends Extension {
  /** What was written, and what was not. */
  readonly state: AuditState;
  /** Waits until every record so far is written. @throws what the sink failed with. */
  flush(): Promise<void>;
}

/** Milliseconds that closing waits for the sink: less than an executor waits for its extensions. */
const CLOSE_MS = 1500;

/**
 * Records each call once, when it has ended, refused and cancelled ones too (SEC-LOG-3).
 * @throws AiwError `config_invalid` for options that contradict each other.
 */
export function audit(options: AuditOptions): AuditExtension {
  const { onFailure = "block", maxPending = 10_000, retryMs = 1000 } = options;
  let log = options.log;
  const trail = new AuditTrail({
    sink: toSink(options, onFailure),
    maxPending,
    retryMs,
    closeMs: CLOSE_MS,
    log: () => log,
    now: () => Date.now(),
    tick: () => performance.now(),
  });
  const entryOptions: AuditEntryOptions = {
    secrets: options.secrets ?? [],
    arguments: options.arguments !== false,
    now: () => Date.now(),
  };
  const after = (call: ExtensionCall, result: ToolResult): void | Promise<void> => {
    log ??= call.log;
    const entry = toAuditEntry(call, result, entryOptions);
    return onFailure === "warn" ? trail.put(entry) : recordOrWithhold(() => trail.record(entry), result);
  };
  return {
    name: options.name ?? "audit",
    stage: "audit_open",
    // The first to see a call, and the last to see its result.
    priority: "highest",
    failure: onFailure === "block" ? "closed" : "open",
    beforeExecute(call) {
      log ??= call.log;
      return onFailure === "warn" ? undefined : passOrRefuse(() => trail.ready());
    },
    afterExecute: after,
    onError: after,
    close: () => trail.close(),
    flush: () => trail.flush(),
    get state() {
      return trail.state;
    },
  };
}

function toSink(options: AuditOptions, onFailure: "block" | "warn"): AuditSink {
  const { file, database, sink, sync = onFailure === "block", key, maxBytes, maxFiles } = options;
  const named = [file, database, sink].filter((one) => one !== undefined);
  if (named.length !== 1)
    throw new AiwError("config_invalid", "audit() needs exactly one of file, database and sink.", {
      fix: 'Write audit({ file: ".aiw/audit.jsonl" }).',
    });
  const sealing = { sync, ...(key !== undefined && { key }) };
  if (database !== undefined) return databaseSink(database, sealing);
  if (file === undefined) return sink as AuditSink;
  return fileSink(file, {
    ...sealing,
    ...(maxBytes !== undefined && { maxBytes }),
    ...(maxFiles !== undefined && { maxFiles }),
  });
}

function passOrRefuse(ready: () => void | Promise<void>): void | Promise<void> {
  const refuse = (): never => {
    throw new ToolError("audit_unavailable", "Calls are refused while they cannot be recorded.", {
      suggestion: "Tell the user; the operator has to look at the record of calls.",
    });
  };
  try {
    return ready()?.catch(refuse);
  } catch {
    return refuse();
  }
}

/** The refusal of a call that did not run stands; its record is kept for later. */
function recordOrWithhold(
  record: () => void | Promise<void>,
  { call: { attempts } }: ToolResult,
): void | Promise<void> {
  const withhold = (): void => {
    if (attempts === 0) return;
    throw new ToolError("audit_failed", "The work was done and could not be recorded; its result is withheld.", {
      suggestion: "Do not repeat this call: it ran. Tell the user; the operator has to look at the record of calls.",
    });
  };
  try {
    return record()?.catch(withhold);
  } catch {
    return withhold();
  }
}
