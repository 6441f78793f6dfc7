import { toDenial } from "../call/denial.ts";
import type { RunningCall } from "../call/running-call.ts";
import { toPromise } from "../call/to-promise.ts";
import type { Verdict } from "../call/verdict.ts";
import type { PipelineStep } from "../pipeline/run-stages.ts";
import { answerWithin } from "./answer-within.ts";
import { blameExtension, failsClosed } from "./blame-extension.ts";
import type { Extension, ExtensionStage, ExtensionVerdict } from "./extension.ts";
import { runWrap } from "./run-wrap.ts";

/** Stages whose opinions are heard before the call is judged. */
const JUDGING: ReadonlySet<string> = new Set(["authorize_tool", "validate_input", "authorize_arguments"]);

/** Stages that look at arguments a person edited; the others are about the call as it came. */
const JUDGING_EDITS: ReadonlySet<string> = new Set([...JUDGING, "repeat_check", "approval"]);

/** True where an extension is heard before the call is judged, and again after it waited. */
export function givesOpinions(stage: ExtensionStage): boolean {
  return JUDGING.has(stage);
}

/** True where an extension is asked about arguments that a person edited. */
export function judgesEdits(stage: ExtensionStage): boolean {
  return JUDGING_EDITS.has(stage);
}

/** An extension's hooks up to the work as a step of the pipeline; a hook that no clock ends has `limitMs` to answer. */
export function toExtensionStep(extension: Extension, limitMs: number): PipelineStep<RunningCall> {
  const judging = toJudgingStep(extension, limitMs);
  if (extension.wrap === undefined) return judging;
  const patienceMs = hasClock(extension) ? undefined : limitMs;
  return {
    stage: extension.stage,
    around: async (call, next) => {
      await judging.before(call);
      if (!call.ended) await runWrap(extension, call, { next: async () => next(), patienceMs });
    },
  };
}

/** The same without what stands around the later stages: it asks what the extension says of the call as it is. */
export function toJudgingStep(
  extension: Extension,
  limitMs: number,
): Extract<PipelineStep<RunningCall>, { readonly before: unknown }> {
  return {
    stage: extension.stage,
    before: (call) => {
      (call.entered ??= []).push(extension.name);
      return runBefore(extension, call, limitMs);
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
  let given: ReturnType<NonNullable<Extension["beforeExecute"]>>;
  let late: Promise<ExtensionVerdict | void | undefined> | undefined;
  try {
    given = extension.beforeExecute(call);
    late = toPromise(given);
  } catch (error) {
    return fail(extension, call, error);
  }
  if (late === undefined) return hear(extension, call, given);
  return (hasClock(extension) ? late : answerWithin(late, limitMs)).then(
    (verdict) => hear(extension, call, verdict),
    (error: unknown) => fail(extension, call, error),
  );
}

function fail(extension: Extension, call: RunningCall, error: unknown): void {
  call.blamed = undefined;
  blameExtension(extension, call, error);
}

/** A denial holds also where a failure is passed over: whoever says no has not failed. */
function hear(extension: Extension, call: RunningCall, given: unknown): void {
  call.blamed = undefined;
  if (given === undefined) return;
  const verdict = readVerdict(extension, given);
  if (verdict === undefined) return blameExtension(extension, call, new TypeError("Its opinion is none."));
  if (verdict.decision === "deny") throw toDenial(verdict);
  call.opinions = [...call.opinions, verdict];
}

/** Undefined for what is no opinion, and for one that comes too late to be heard. */
function readVerdict({ name, stage }: Extension, given: unknown): Verdict | undefined {
  try {
    const { decision, reason, rule = name } = given as Partial<ExtensionVerdict>;
    if (typeof reason !== "string" || typeof rule !== "string") return undefined;
    const isHeard = decision === "deny" || ((decision === "ask" || decision === "allow") && givesOpinions(stage));
    return isHeard ? { decision, reason, rule, by: "extension" } : undefined;
  } catch {
    return undefined;
  }
}
