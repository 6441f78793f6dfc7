import { defineErrorCodes } from "@aiw/core";
import { escapeQuoted, showName } from "./files/show-name.ts";

/** Codes of this package beside those of the core. */
export const FILESYSTEM_ERROR_CODES = {
  invalid_glob: { type: "validation_error" },
  invalid_regex: { type: "validation_error" },
  offset_out_of_range: { type: "validation_error" },
  invalid_patch: { type: "validation_error" },
  no_change: { type: "validation_error" },
  omission_placeholder: { type: "validation_error" },
  binary_file: { type: "user_error" },
  undecodable: { type: "user_error" },
  unread_target: { type: "user_error" },
  no_match: { type: "user_error" },
  ambiguous_match: { type: "user_error" },
  already_applied: { type: "user_error" },
} as const;

const makeError = defineErrorCodes(FILESYSTEM_ERROR_CODES);

/** Makes an error of this package's or the core's catalogue, on one line whatever the names in it hold. */
export const filesystemError: typeof makeError = (code, message, options) =>
  makeError(code, showName(message), {
    ...options,
    ...(options?.suggestion !== undefined && { suggestion: escapeQuoted(options.suggestion) }),
  });
