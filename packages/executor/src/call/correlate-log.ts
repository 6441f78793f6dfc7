import type { ToolLog } from "@aiw/core";
import type { RunningCall } from "./running-call.ts";

type Write = ToolLog["info"];

/** A log whose lines say which call they are of; fields of the tool's own cannot pass for these. */
export function correlateLog(log: ToolLog, call: RunningCall): ToolLog {
  const write = (level: keyof ToolLog): Write => {
    return (message, fields) => log[level](message, { ...fields, ...toFields(call) });
  };
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}

function toFields({ callId, parentCallId, sessionId, toolId }: RunningCall): { readonly [name: string]: unknown } {
  return {
    callId,
    ...(parentCallId !== undefined && { parentCallId }),
    ...(sessionId !== undefined && { sessionId }),
    tool: toolId,
  };
}
