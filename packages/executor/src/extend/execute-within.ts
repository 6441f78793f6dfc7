import type { RunningCall } from "../call/running-call.ts";
import { catchLate } from "../call/to-promise.ts";
import { reportExtension } from "./blame-extension.ts";
import type { Extension } from "./extension.ts";

/** Runs one attempt of a call within what stands around it. */
export type ExecuteWithin = (call: RunningCall, execute: () => unknown) => unknown;

/** Puts the hooks around an attempt into one, earlier extensions outside; undefined where none has such a hook. */
export function compileExecuteWithin(extensions: readonly Extension[]): ExecuteWithin | undefined {
  const around = extensions.filter(({ executeWithin }) => executeWithin !== undefined);
  return around.reduceRight<ExecuteWithin | undefined>((inner, extension) => {
    if (inner === undefined) return (call, execute) => runWithin(extension, call, execute);
    return (call, execute) => runWithin(extension, call, () => inner(call, execute));
  }, undefined);
}

type Attempt = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown };

/** What the attempt gives is kept apart from the hook, whose faults are reported and harm nobody. */
function runWithin(extension: Extension, call: RunningCall, execute: () => unknown): unknown {
  let attempt: Attempt | undefined;
  const once = (): unknown => {
    if (attempt !== undefined) throw new TypeError("`execute` was called twice, or too late.");
    attempt = toAttempt(execute);
    return read(attempt);
  };
  try {
    const given: unknown = extension.executeWithin?.(call, once);
    catchLate(given, (error) => {
      if (attempt?.ok !== false || attempt.error !== error) reportExtension(extension, call, error);
    });
    if (attempt === undefined) throw new TypeError("`execute` was not called.");
  } catch (error) {
    attempt ??= toAttempt(execute);
    if (attempt.ok || attempt.error !== error) reportExtension(extension, call, error);
  }
  return read(attempt);
}

function toAttempt(execute: () => unknown): Attempt {
  try {
    return { ok: true, value: execute() };
  } catch (error) {
    return { ok: false, error };
  }
}

function read(attempt: Attempt): unknown {
  if (attempt.ok) return attempt.value;
  throw attempt.error;
}
