import type { ApprovalConfig } from "./approval-config.ts";
import type { AuditConfig } from "./audit-config.ts";
import type { AuthConfig } from "./auth-config.ts";
import type { LoggingConfig } from "./logging-config.ts";
import type { RateLimitConfig } from "./rate-limit-config.ts";
import type { TelemetryConfig } from "./telemetry-config.ts";

/** What stands around calls, by its key: each is on when its key is there; the package `@aiw/extensions` brings them. */
export interface ExtensionsConfig {
  readonly auth?: AuthConfig;
  readonly approval?: ApprovalConfig;
  readonly audit?: AuditConfig;
  readonly logging?: LoggingConfig;
  readonly rateLimit?: RateLimitConfig;
  readonly telemetry?: TelemetryConfig;
}
