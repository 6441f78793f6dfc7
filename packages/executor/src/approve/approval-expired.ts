import { ToolError } from "@aiw/core";

/** The failure of a call whose question nobody answered in time. */
export function approvalExpiredError(expiresMs: number): ToolError {
  return new ToolError("approval_expired", `Nobody answered within ${toWords(expiresMs)} whether the call may run.`, {
    suggestion: "Go on without it, or ask the person whether they would approve it, before calling again.",
  });
}

/** The failure of a call that waited too long after the yes. */
export function approvalStaleError(expiresMs: number): ToolError {
  return new ToolError("approval_expired", `The call waited longer than ${toWords(expiresMs)} after it was approved.`, {
    suggestion: "Make the call again, so that it can be approved as things are now.",
  });
}

function toWords(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 120_000 ? `${Number((ms / 1000).toFixed(1))} s` : `${Math.round(ms / 60_000)} minutes`;
}
