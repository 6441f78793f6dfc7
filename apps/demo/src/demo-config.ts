import type { AiwConfig } from "@aiw/core";
import { ALLOWED_COMMAND } from "./default-task.ts";

/** What one run opens beyond the safe defaults, and where it tells of itself. */
export interface DemoGrants {
  /** The one file that may be written without asking. */
  readonly report: string;
  /** `host:port` of the page served on the loopback interface. */
  readonly pageHost: string;
  /** Where each call is recorded. */
  readonly record: string;
  /** The collector that spans and metrics are sent to; nobody is sent any without one. */
  readonly collector?: string | undefined;
}

/** Milliseconds a question waits: who went away comes back to a refusal, not to a question about what was long ago. */
const ANSWER_WITHIN_MS = 300_000;

/**
 * Allows exactly three things: one report, one command, one loopback address. Turns on approval, limits, the record of
 * calls and telemetry: this is all that the demo says of them.
 */
export function createDemoConfig({ report, pageHost, record, collector }: DemoGrants): AiwConfig {
  return {
    policy: {
      approval: "unsafe_only",
      rules: [
        { match: { tool: "write", input: { path: report } }, decision: "allow", reason: "The demo's report." },
        {
          match: { tool: "bash", input: { command: ALLOWED_COMMAND } },
          decision: "allow",
          reason: "The demo's one command.",
        },
      ],
    },
    plugins: { "@aiw/plugin-web": { allow_private: [pageHost] } },
    extensions: {
      approval: { expiresMs: ANSWER_WITHIN_MS },
      audit: { file: record },
      rateLimit: { perMinute: 120, limits: [{ by: ["tool"], tools: ["bash", "write"], calls: 30, seconds: 60 }] },
      telemetry: {
        serviceName: "aiw-demo",
        prometheus: { port: 0 },
        ...(collector !== undefined && { otlp: { endpoint: collector } }),
      },
    },
  };
}
