import type { ToolLog } from "@aiw/core";

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
      const returned: unknown = write(...said);
      // A rejection nobody handles would end the process.
      if (returned instanceof Promise) returned.catch(() => undefined);
    } catch {
      // There is nowhere left to say it.
    }
  };
}
