import { defineErrorCodes } from "@aiw/core";

/** Codes of this plugin beside those of the core catalogue. */
export const SHELL_ERROR_CODES = {
  command_denied: { type: "security_error", status: "denied" },
  cwd_not_found: { type: "user_error" },
  interactive_command: { type: "user_error" },
} as const;

/** Makes this plugin's errors. */
export const shellError = defineErrorCodes(SHELL_ERROR_CODES);
