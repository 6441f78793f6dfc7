import type { HostCheck } from "../inspect-host.ts";
import type { ProjectEngine } from "./project-engine.ts";

/** Checks that somebody is asked before unsafe calls run. */
export function checkApproval({ config: { policy } }: ProjectEngine): HostCheck[] {
  if (policy?.approval !== "never") return [];
  return [
    {
      name: "approval",
      level: "warning",
      message: "nobody is asked: calls that overwrite, delete or reach outside run at once (approval never)",
      fix: 'Set policy.approval to "unsafe_only" and allow single calls by policy.rules.',
    },
  ];
}
