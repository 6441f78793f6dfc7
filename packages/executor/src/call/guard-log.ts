import type { ToolLog } from "@aiw/core";
import { catchLate } from "./to-promise.ts";

type Write = ToolLog["error"];

/** The host's log as calls use it: what it throws, or rejects with, is lost, since who is told of a call decides nothing of it. */
export function guardLog(log: ToolLog): ToolLog {
  return Object.freeze({
    debug: guard((...said) => log.debug(...said)),
    info: guard((...said) => log.info(...said)),
    warn: guard((...said) => log.warn(...said)),
    error: guard((...said) => log.error(...said)),
  });
}

function guard(write: Write): Write {
  return (...said) => {
    try {
      catchLate(write(...said), () => undefined);
    } catch {
      // There is nowhere left to say it.
    }
  };
}
