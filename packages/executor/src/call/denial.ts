import { ToolError } from "@aiw/core";
import type { Verdict } from "./verdict.ts";

/** The failure of a denied call; a tool's own denial is about safety, everybody else's about permission. */
export function toDenial({ reason, rule, by }: Verdict): ToolError {
  return new ToolError(
    by === "tool" ? "denied_by_tool" : "denied_by_policy",
    `Denied${rule === undefined ? "" : ` by ${rule}`}: ${reason}`,
    {
      suggestion: "Do not repeat this call; use another tool or other arguments, or ask the operator.",
    },
  );
}
