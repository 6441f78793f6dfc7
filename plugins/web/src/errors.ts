import { defineErrorCodes } from "@aiw/core";

/** Codes of this package beside those of the core. */
export const WEB_ERROR_CODES = {
  invalid_url: { type: "validation_error" },
  offset_out_of_range: { type: "validation_error" },
  blocked_url: { type: "security_error", status: "denied" },
  blocked_address: { type: "security_error", status: "denied" },
  dns_failed: { type: "system_error", retryable: true },
  connection_failed: { type: "system_error", retryable: true },
  tls_failed: { type: "system_error" },
  rate_limited: { type: "system_error", retryable: true },
  http_error: { type: "user_error" },
  bot_challenge: { type: "user_error" },
  unsupported_content: { type: "user_error" },
  response_too_large: { type: "user_error" },
} as const;

/** Makes an error of this package's or the core's catalogue. */
export const webError = defineErrorCodes(WEB_ERROR_CODES);
