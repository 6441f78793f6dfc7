import { toDenial } from "../call/denial.ts";
import type { RunningCall } from "../call/running-call.ts";
import type { Verdict } from "../call/verdict.ts";
import type { PipelineStep } from "../pipeline/run-stages.ts";
import { answerWithin } from "./answer-within.ts";
import { toExtensionError } from "../call/extension-error.ts";
import { blameExtension, failsClosed } from "./blame-extension.ts";
import type { Extension, ExtensionVerdict } from "./extension.ts";

/** Stages whose opinions are heard before the call is judged. */
const JUDGING: ReadonlySet<string> = new Set(["authorize_tool", "validate_input", "authorize_arguments"]);

/** An extension's hooks up to the work as a step of the pipeline; a hook that no clock ends has `limitMs` to answer. */
export function toExtensionStep(extension: Extension, limitMs: number): PipelineStep<RunningCall> {
  const { stage } = extension;
  const before = (call: RunningCall): void | Promise<void> => {
    (call.entered ??= []).push(extension.name);
    return runBefore(extension, call, limitMs);
  };
  if (extension.wrap === undefined) return { stage, before };
  return {
    stage,
    around: async (call, next) => {
      await before(call);
      if (!call.ended) await runWrap(extension, call, async () => next());
    },
  };
}

/** The clock of the call ends what refuses it; it does not run before `authorize_tool`, and watchers only delay a call. */
function hasClock(extension: Extension): boolean {
  return failsClosed(extension) && extension.stage !== "trace" && extension.stage !== "audit_open";
}

/** Runs the hook before the work; its opinion is kept, a denial ends the call. */
function runBefore(extension: Extension, call: RunningCall, limitMs: number): void | Promise<void> {
  if (extension.beforeExecute === undefined) return undefined;
  call.blamed = extension.name;
  try {
    const given = extension.beforeExecute(call);
    if (given instanceof Promise)
      return (hasClock(extension) ? given : answerWithin(given, limitMs)).then(
        (verdict) => hear(extension, call, verdict),
        (error: unknown) => fail(extension, call, error),
      );
    return hear(extension, call, given);
  } catch (error) {
    return fail(extension, call, error);
  }
}

function fail(extension: Extension, call: RunningCall, error: unknown): void {
  call.blamed = undefined;
  blameExtension(extension, call, error);
}

function hear(extension: Extension, call: RunningCall, given: ExtensionVerdict | void | undefined): void {
  call.blamed = undefined;
  if (given === undefined) return;
  const verdict = readVerdict(extension, given);
  if (verdict === undefined) return blameExtension(extension, call, new TypeError("Its opinion is none."));
  if (verdict.decision === "deny") throw toDenial(verdict);
  call.opinions = [...call.opinions, verdict];
}

/** Undefined for what is no opinion, and for one that comes too late to be heard. */
function readVerdict({ name, stage }: Extension, given: ExtensionVerdict): Verdict | undefined {
  const { decision, reason, rule = name }: Partial<ExtensionVerdict> = given ?? {};
  if (typeof reason !== "string" || typeof rule !== "string") return undefined;
  const isHeard = decision === "deny" || ((decision === "ask" || decision === "allow") && JUDGING.has(stage));
  return isHeard ? { decision, reason, rule, by: "extension" } : undefined;
}

/** Runs the hook around the later stages, whose end it can neither change nor hide. */
async function runWrap(extension: Extension, call: RunningCall, next: () => Promise<void>): Promise<void> {
  let inner: Promise<void> | undefined;
  call.blamed = extension.name;
  const once = (): Promise<void> => {
    if (inner !== undefined) throw new TypeError("`next` was called twice.");
    call.blamed = undefined;
    inner = next();
    // Whoever forgets to wait for it must not leave a rejection behind; from here on only the wrapper is waited for.
    inner
      .catch(() => undefined)
      .finally(() => {
        call.blamed = extension.name;
      });
    return inner;
  };
  const fault = await (async () => extension.wrap?.(call, once))().then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  call.blamed = undefined;
  if (inner === undefined) {
    blameExtension(extension, call, fault?.error ?? new TypeError("`next` was not called."));
    return next();
  }
  await inner;
  if (fault !== undefined) withhold(extension, call, fault.error);
}

/** The work is done, and what stood around it failed. */
function withhold(extension: Extension, call: RunningCall, error: unknown): void {
  try {
    blameExtension(extension, call, error);
  } catch (refusal) {
    throw refusal === error
      ? refusal
      : toExtensionError(extension.name, "The work was done; its result is withheld, since");
  }
}
