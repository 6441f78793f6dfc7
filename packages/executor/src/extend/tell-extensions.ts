import type { CallEvent } from "../call/call-event.ts";
import type { RunningCall } from "../call/running-call.ts";
import { reportExtension } from "./blame-extension.ts";
import type { Extension } from "./extension.ts";

/** Tells extensions of an event; undefined where none wants to know. One that throws is reported and harms nobody. */
export function compileEventHooks(
  extensions: readonly Extension[],
): ((call: RunningCall, event: CallEvent) => void) | undefined {
  const told = extensions.filter(({ onEvent }) => onEvent !== undefined);
  if (told.length === 0) return undefined;
  return (call, event) => {
    for (const extension of told) tell(extension, call, event);
  };
}

function tell(extension: Extension, call: RunningCall, event: CallEvent): void {
  const report = (error: unknown): void => reportExtension(extension, call, error);
  try {
    const given: unknown = extension.onEvent?.(call, event);
    // A rejection nobody handles would end the process.
    if (given instanceof Promise) given.catch(report);
  } catch (error) {
    report(error);
  }
}
