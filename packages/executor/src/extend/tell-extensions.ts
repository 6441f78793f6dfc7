import type { CallEvent } from "../call/call-event.ts";
import type { RunningCall } from "../call/running-call.ts";
import { catchLate } from "../call/to-promise.ts";
import { reportExtension } from "./blame-extension.ts";
import type { Extension } from "./extension.ts";

/** Tells extensions of an event; undefined where none wants to know. One that throws is reported and harms nobody. */
export function compileEventHooks(
  extensions: readonly Extension[],
): ((call: RunningCall, event: CallEvent) => void) | undefined {
  const told = extensions.filter(({ onEvent }) => onEvent !== undefined);
  if (told.length === 0) return undefined;
  return (call, event) => {
    for (const extension of told) tell(extension, call, () => extension.onEvent?.(call, event));
  };
}

/** Tells extensions that a call is suspended: those that watch, and those it came to. */
export function tellSuspended(extensions: readonly Extension[], call: RunningCall): void {
  for (const extension of extensions) {
    const watches = extension.stage === "trace" || extension.stage === "audit_open";
    if (watches || call.entered?.includes(extension.name) === true)
      tell(extension, call, () => extension.onSuspend?.(call));
  }
}

function tell(extension: Extension, call: RunningCall, hook: () => unknown): void {
  const report = (error: unknown): void => reportExtension(extension, call, error);
  try {
    catchLate(hook(), report);
  } catch (error) {
    report(error);
  }
}
