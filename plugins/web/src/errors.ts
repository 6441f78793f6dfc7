import { defineErrorCodes } from "@aiw/core";

/** Codes of this package beside those of the core. */
export const WEB_ERROR_CODES = {
  offset_out_of_range: { type: "validation_error" },
  rate_limited: { type: "system_error", retryable: true },
  bot_challenge: { type: "user_error" },
} as const;

/** Makes an error of this package's or the core's catalogue. */
export const webError = defineErrorCodes(WEB_ERROR_CODES);
