import { ToolError, type ToolResult } from "@aiw/core";
import type { Extension, ExtensionCall } from "@aiw/executor";
import { assertAuditOptions } from "./assert-options.ts";
import type { AuditSink } from "./audit-sink.ts";
import type { AuditOptions } from "./audit-options.ts";
import { AuditTrail, type AuditState } from "./audit-trail.ts";
import { databaseSink } from "./database/database-sink.ts";
import { fileSink } from "./file/file-sink.ts";
import { toAuditEntry, type AuditEntryOptions } from "./to-audit-entry.ts";

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
 * @throws AiwError `config_invalid` for options that contradict each other, and for what is none.
 */
export function audit(options: AuditOptions): AuditExtension {
  assertAuditOptions(options);
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
