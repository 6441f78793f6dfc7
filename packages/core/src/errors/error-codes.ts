import type { ErrorType, FailureStatus } from "../contract/tool-result.ts";

/** What a code means for the result that carries it. */
export interface ErrorCode {
  readonly type: ErrorType;
  /** `error` unless named. */
  readonly status?: FailureStatus;
  /** The same call may work later with nothing changed; no unless named. */
  readonly retryable?: boolean;
}

/** Codes by name; one catalogue per package, documented in its reference. */
export interface ErrorCatalogue {
  readonly [code: string]: ErrorCode;
}

/** Codes that the core, the executor and the confined workspace produce, free for every author to use. */
export const ERROR_CODES = {
  invalid_input: { type: "validation_error" },
  invalid_path: { type: "validation_error" },
  tool_not_found: { type: "validation_error" },
  repeated_call: { type: "user_error" },
  failed: { type: "user_error" },
  not_found: { type: "user_error" },
  already_exists: { type: "user_error" },
  not_a_file: { type: "user_error" },
  not_a_directory: { type: "user_error" },
  not_regular_file: { type: "user_error" },
  too_large: { type: "user_error" },
  conflict: { type: "user_error" },
  irreversible: { type: "user_error" },
  nothing_to_undo: { type: "user_error" },
  not_configured: { type: "user_error" },
  permission_denied: { type: "permission_error" },
  input_unavailable: { type: "permission_error" },
  approval_required: { type: "permission_error", status: "denied" },
  approval_denied: { type: "permission_error", status: "denied" },
  approval_expired: { type: "permission_error", status: "denied" },
  input_pending: { type: "permission_error" },
  suspension_invalid: { type: "security_error", status: "denied" },
  suspension_used: { type: "permission_error", status: "denied" },
  suspension_expired: { type: "permission_error", status: "denied" },
  suspension_changed: { type: "permission_error", status: "denied" },
  tool_not_offered: { type: "permission_error", status: "denied" },
  denied_by_policy: { type: "permission_error", status: "denied" },
  denied_by_tool: { type: "security_error", status: "denied" },
  outside_root: { type: "security_error", status: "denied" },
  protected_path: { type: "security_error", status: "denied" },
  path_changed: { type: "security_error", status: "denied" },
  command_failed: { type: "user_error" },
  spawn_failed: { type: "system_error" },
  invalid_url: { type: "validation_error" },
  blocked_url: { type: "security_error", status: "denied" },
  blocked_address: { type: "security_error", status: "denied" },
  dns_failed: { type: "system_error", retryable: true },
  connection_failed: { type: "system_error", retryable: true },
  tls_failed: { type: "system_error" },
  http_error: { type: "user_error" },
  unsupported_content: { type: "user_error" },
  response_too_large: { type: "user_error" },
  rate_limited: { type: "system_error", status: "denied", retryable: true },
  timeout: { type: "system_error", status: "timed_out", retryable: true },
  cancelled: { type: "system_error", status: "cancelled" },
  too_busy: { type: "system_error", retryable: true },
  io_error: { type: "system_error", retryable: true },
  no_space: { type: "system_error" },
  load_failed: { type: "system_error" },
  isolation_unavailable: { type: "system_error" },
  isolated_process_ended: { type: "system_error", retryable: true },
  executor_missing: { type: "system_error" },
  implementation_invalid: { type: "system_error" },
  options_invalid: { type: "system_error" },
  schema_invalid: { type: "system_error" },
  invalid_output: { type: "system_error" },
  audit_unavailable: { type: "system_error", status: "denied", retryable: true },
  audit_failed: { type: "system_error" },
  extension_failed: { type: "permission_error", status: "denied" },
  internal_error: { type: "system_error" },
} as const;

/** A code of the core catalogue. */
export type CoreErrorCode = keyof typeof ERROR_CODES;
