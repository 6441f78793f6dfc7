import type { ErrorType, Principal, ToolResult, ToolResultStatus } from "@aiw/core";
import { findRecordedSecrets, toRecordedArguments, toRecordedText, type ExtensionCall } from "@aiw/executor";
import type { AuditCallEntry, AuditedApproval, AuditedOutcome, AuditedTool, AuditedVerdict } from "./audit-entry.ts";

/** What a record of a call has beyond the call. */
export interface AuditEntryOptions {
  /** Texts that are masked wherever they occur. */
  readonly secrets: readonly string[];
  /** False leaves arguments out. */
  readonly arguments: boolean;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** Characters of names and ids in a record. */
const MAX_NAME = 300;

/** Roles of a principal that are recorded. */
const MAX_ROLES = 100;

/** Makes the record of a call that has ended: bounded, masked, escaped, and nothing of the result's value (SEC-LOG-1, SEC-LOG-2). */
export function toAuditEntry(call: ExtensionCall, result: ToolResult, options: AuditEntryOptions): AuditCallEntry {
  const { secrets } = options;
  const { sessionId, turn, principal, definitionHash, startedAt, durationMs, attempts } = result.call;
  const name = (text: string): string => toRecordedText(text, { known: secrets, characters: MAX_NAME });
  let known: readonly string[] | undefined;
  const said = (text: string): string => {
    known ??= [...secrets, ...findRecordedSecrets(call)];
    return toRecordedText(text, { known });
  };
  const recorded = options.arguments ? toRecordedArguments(call, { known: secrets }) : undefined;
  return {
    kind: "call",
    time: new Date(options.now()).toISOString(),
    callId: name(call.callId),
    ...(call.parentCallId !== undefined && { parentCallId: name(call.parentCallId) }),
    ...(sessionId !== undefined && { sessionId: name(sessionId) }),
    ...(Number.isSafeInteger(turn) && { turn }),
    ...(principal !== undefined && { principal: toPrincipal(principal, name) }),
    tool: toTool(call, name),
    ...(definitionHash !== undefined && { definitionHash }),
    ...(recorded !== undefined && { arguments: recorded }),
    ...toVerdict(call.verdict, said),
    ...toApproval(call.approval, said),
    outcome: toOutcome(result, call, said),
    startedAt,
    durationMs: Math.round(durationMs * 1000) / 1000,
    attempts,
  };
}

type Say = (text: string) => string;

/** Hosts without types may give anything as a principal. */
function toPrincipal({ id, roles }: Principal, name: Say): Principal {
  const known: readonly unknown[] = Array.isArray(roles) ? roles : [];
  return {
    id: name(String(id)),
    ...(known.length > 0 && { roles: known.slice(0, MAX_ROLES).map((role) => name(String(role))) }),
  };
}

function toTool({ toolId, toolName, entry }: ExtensionCall, name: Say): AuditedTool {
  const { package: owner, version, source } = entry?.origin ?? {};
  return {
    id: name(toolId),
    name: name(toolName),
    ...(owner !== undefined && { package: name(owner) }),
    ...(version !== undefined && { version: name(version) }),
    ...(source !== undefined && { source: name(source) }),
    known: entry !== undefined,
  };
}

function toVerdict(verdict: ExtensionCall["verdict"], said: Say): { readonly verdict?: AuditedVerdict } {
  if (verdict === undefined) return {};
  const { decision, reason, rule, by } = verdict;
  return { verdict: { decision, reason: said(reason), ...(rule !== undefined && { rule: said(rule) }), by } };
}

function toApproval(approval: ExtensionCall["approval"], said: Say): { readonly approval?: AuditedApproval } {
  if (approval === undefined) return {};
  const { decision, reason, scope, by, answeredBy, edited, waitedMs }: AuditedApproval = approval;
  return {
    approval: {
      decision,
      ...(reason !== undefined && { reason: said(reason) }),
      ...(scope !== undefined && { scope: said(scope) }),
      ...(by !== undefined && { by: said(by) }),
      ...(answeredBy !== undefined && { answeredBy: said(answeredBy) }),
      ...(edited === true && { edited }),
      ...(Number.isFinite(waitedMs) && { waitedMs: Math.round(Number(waitedMs)) }),
    },
  };
}

function toOutcome(result: ToolResult, { verdict }: ExtensionCall, said: Say): AuditedOutcome {
  if (result.success) return { status: "ok" };
  // An extension may have replaced it by anything.
  const { error } = result;
  const status = said(String(result.status)) as ToolResultStatus;
  const type = said(String(result.error_type)) as ErrorType;
  // Failures of tools may repeat what they read; refusals are the host's own words.
  const isTold = status !== "denied" || verdict?.decision === "deny";
  return {
    status,
    code: said(String(result.code)),
    type,
    settled: result.settled !== false,
    ...(!isTold && { reason: said(String(error)) }),
  };
}
