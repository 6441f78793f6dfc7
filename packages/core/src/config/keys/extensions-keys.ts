import { APPROVAL_KEY } from "./extensions/approval-key.ts";
import { AUDIT_KEY } from "./extensions/audit-key.ts";
import { AUTH_KEY } from "./extensions/auth-key.ts";
import { LOGGING_KEY } from "./extensions/logging-key.ts";
import { RATE_LIMIT_KEY } from "./extensions/rate-limit-key.ts";
import { TELEMETRY_KEY } from "./extensions/telemetry-key.ts";
import type { KeySchema } from "./key-schema.ts";

/** The key `extensions`: each extension brings a key of its own, and is on when that is there. */
export const EXTENSIONS_KEY: KeySchema = {
  type: "object",
  description:
    "What stands around calls: each is on when its key is there. The package @aiw/extensions brings them; what they need is read when tools are opened.",
  additionalProperties: false,
  properties: {
    auth: AUTH_KEY,
    approval: APPROVAL_KEY,
    audit: AUDIT_KEY,
    logging: LOGGING_KEY,
    rateLimit: RATE_LIMIT_KEY,
    telemetry: TELEMETRY_KEY,
  },
};
