import type { AiwConfig } from "@aiw/core";
import { ALLOWED_COMMAND } from "./default-task.ts";

/** What one run opens beyond the safe defaults. */
export interface DemoGrants {
  /** The one file that may be written without asking. */
  readonly report: string;
  /** `host:port` of the page served on the loopback interface. */
  readonly pageHost: string;
}

/** Allows exactly three things: one report, one command, one loopback address. */
export function createDemoConfig({ report, pageHost }: DemoGrants): AiwConfig {
  return {
    policy: {
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
  };
}
