import type { CallEnvironment, ToolError, ToolRegistry, ToolResult } from "@aiw/core";
import type { ApprovalMemory } from "./approve/approval-memory.ts";
import { approvalCheckStep, approvalStep } from "./approve/approval-step.ts";
import { announceStep, boundInputStep, refuseStep, terminalEventStep } from "./bound/announce-steps.ts";
import { boundResultStep, closeResult } from "./bound/close-result.ts";
import type { FullResults } from "./bound/full-results.ts";
import { APPROVAL_MODES, resolveTerms, type ApprovalMode, type ApprovalTerms } from "./call/approval-settings.ts";
import type { Approver } from "./call/approver.ts";
import { findResultReader } from "./call/result-reader.ts";
import type { CallChain } from "./call/call-facts.ts";
import type { RunningCall } from "./call/running-call.ts";
import {
  authorizeToolStep,
  denyByRuleStep,
  forgetOpinionsStep,
  judgeAgainStep,
  judgeStep,
  type Judging,
} from "./decide/authorize-steps.ts";
import type { Offers } from "./decide/assert-offered.ts";
import type { CompiledRules } from "./decide/policy-rules.ts";
import { executeStep, type Executors } from "./execute/execute-step.ts";
import { validateSteps } from "./execute/validate-steps.ts";
import type { ResolvedLimits } from "./executor-limits.ts";
import type { Extension, ExtensionStage } from "./extend/extension.ts";
import { compileExecuteWithin } from "./extend/execute-within.ts";
import { toExtensionClosing } from "./extend/extension-closing.ts";
import { givesOpinions, judgesEdits, toExtensionStep, toJudgingStep } from "./extend/extension-step.ts";
import { compileEventHooks, tellSuspended } from "./extend/tell-extensions.ts";
import { concurrencyStep } from "./limit/concurrency-step.ts";
import { retryStep } from "./limit/retry.ts";
import type { Slots } from "./limit/slots.ts";
import { preparationStep, timeoutStep } from "./limit/timeout.ts";
import type { ToolLimits } from "./limit/tool-limits.ts";
import { admitRepaired } from "./repair/admit-repaired.ts";
import { judgeRepairsStep, noteRepairsStep, tellRepairsStep } from "./repair/repair-steps.ts";
import { repairTextStep } from "./repair/repair-text-step.ts";
import { resumedStep } from "./suspend/resumed-step.ts";
import type { RepeatMode, RepeatStepOptions } from "./repeat/compared-call.ts";
import { createRepeatSteps } from "./repeat/repeat-steps.ts";
import { fileUsesStep } from "./converse/file-uses-step.ts";
import { compileClosing, compileStages, type PipelineStep } from "./pipeline/run-stages.ts";
import { stageIndex } from "./pipeline/stages.ts";

/** Everything calls of one tool go through, compiled once; what its stages throw ends a call. */
export interface Chain {
  /** Takes a call to its end. */
  run(call: RunningCall): void | Promise<void>;
  /** Takes a call as far as its verdict, with nothing around it. */
  judge(call: RunningCall): void | Promise<void>;
  /** Tells extensions what happens in a call; absent where none wants to know. */
  readonly tell: CallChain<RunningCall>["tell"];
  /** Tells extensions that the call is suspended. */
  suspend(call: RunningCall): void;
  /** The stages after the work; unlike the others they run for every call, however it ended. */
  close(call: RunningCall, result: ToolResult): ToolResult | Promise<ToolResult>;
}

/** What an executor brings to every chain. */
export interface ChainParts {
  readonly registry: ToolRegistry;
  readonly limits: ResolvedLimits;
  readonly toolLimits: ToolLimits;
  readonly slots: Slots;
  readonly rules: CompiledRules;
  readonly approver: Approver | undefined;
  readonly approvalTerms: ApprovalTerms | undefined;
  readonly approvals: ApprovalMemory;
  readonly executors: Executors;
  readonly full: FullResults;
  /** `off` where arguments are taken as they come or not at all. */
  readonly argumentRepair: "on" | "off";
  readonly repeatedCalls: RepeatMode;
  approvalMode(): ApprovalMode | undefined;
  readonly offers: Offers;
  toEnvironment(call: RunningCall): CallEnvironment;
  /** Hangs the call on its signals. */
  follow(call: RunningCall): void;
  /** True while the registry still has the definition that the call is of. */
  isCurrent(call: RunningCall): Promise<boolean>;
  onFault(error: unknown, call: RunningCall): void;
}

/** What waits for it goes on when the code that runs now has returned. */
const NEXT_TURN = Promise.resolve();

/** Puts the rooms' steps and the extensions' into the printed order; the only place that knows all of them. */
export function createChain(parts: ChainParts, extensions: readonly Extension[]): Chain {
  const { limits, executors } = parts;
  const judging: Judging = {
    rules: parts.rules,
    offers: parts.offers,
    mode: compileMode(parts, extensions),
  };
  const own = extensions.map((extension) => toExtensionStep(extension, limits.extensionMs));
  const opinions = toJudgingSteps(extensions, givesOpinions, limits.extensionMs);
  // Without extensions that are heard, the rules are the first to speak anyway.
  const rulesFirst = opinions.length === 0 ? [] : [denyByRuleStep(judging)];
  const hearAgain = opinions.length === 0 ? undefined : compileStages([forgetOpinionsStep, ...rulesFirst, ...opinions]);
  const judgeCallStep = judgeStep(judging);
  const mends = parts.argumentRepair === "on";
  const repeats = parts.repeatedCalls === "off" ? undefined : createRepeatSteps(toRepeatOptions(parts));
  const terms = resolveTerms([parts.approvalTerms, ...extensions.map(({ approval }) => approval)]);
  const earlier: readonly PipelineStep<RunningCall>[] = [
    boundInputStep,
    ...(mends ? [repairTextStep] : []),
    { stage: "trace", before: (call) => parts.follow(call) },
    announceStep,
    ...(mends ? [tellRepairsStep] : []),
    // The call is known and its arguments are copied; no author's code runs before `execute` has returned.
    { stage: "authorize_tool", before: () => NEXT_TURN },
    preparationStep(limits.preparationMs),
    authorizeToolStep(judging),
    ...validateSteps({ ...parts, ...(mends && { admit: admitRepaired }) }),
    resumedStep,
    ...rulesFirst,
  ];
  const later: readonly PipelineStep<RunningCall>[] = [
    refuseStep,
    judgeCallStep,
    ...(mends ? [judgeRepairsStep] : []),
    ...(repeats === undefined ? [] : [repeats.before]),
    // An edited call is judged by all that judged it before.
    approvalStep({
      approver:
        parts.approver ?? extensions.find(({ approval }) => approval?.approver !== undefined)?.approval?.approver,
      memory: parts.approvals,
      terms,
      judge: compileStages([
        forgetOpinionsStep,
        ...rulesFirst,
        ...toJudgingSteps(extensions, judgesEdits, limits.extensionMs),
        judgeCallStep,
      ]),
    }),
    concurrencyStep(parts.slots, parts.toolLimits),
    timeoutStep(limits.timeoutMs, parts.toolLimits),
    // What follows is done for every attempt.
    ...(limits.retry.attempts > 1 ? [retryStep(limits.retry)] : []),
    judgeAgainStep(judging, hearAgain),
    approvalCheckStep((call) => parts.isCurrent(call), terms),
    executeStep(executors, limits.graceMs, compileExecuteWithin(extensions)),
  ];
  return {
    run: compileStages([...earlier, ...own, ...later]),
    judge: compileStages([...earlier, ...opinions, ...later].filter(isUpToVerdict)),
    tell: compileEventHooks(extensions),
    suspend: (call) => tellSuspended(extensions, call),
    close: compileClosing(
      [
        ...extensions.toReversed().flatMap((extension) => toClosing(extension, limits.extensionMs)),
        ...(repeats === undefined ? [] : [repeats.compare]),
        boundResultStep({ bounds: limits.result, full: parts.full }),
        ...(repeats === undefined ? [] : [repeats.remember]),
        noteRepairsStep,
        fileUsesStep,
        terminalEventStep,
      ],
      (error, call) => parts.onFault(error, call),
    ),
  };
}

function toRepeatOptions({ repeatedCalls: mode, full, registry, offers }: ChainParts): RepeatStepOptions {
  return {
    mode,
    full,
    readerOf: ({ options: { catalog = registry, principal } }) =>
      findResultReader(catalog, (tool) => offers(tool, principal)),
    fail: (call, thrown) => closeResult(call, { ok: false, thrown }),
  };
}

function toClosing(extension: Extension, limitMs: number): NonNullable<ReturnType<typeof toExtensionClosing>>[] {
  const fail = (call: RunningCall, thrown: ToolError): ToolResult => closeResult(call, { ok: false, thrown });
  const step = toExtensionClosing(extension, { limitMs, fail });
  return step === undefined ? [] : [step];
}

function toJudgingSteps(
  extensions: readonly Extension[],
  isAsked: (stage: ExtensionStage) => boolean,
  limitMs: number,
): readonly PipelineStep<RunningCall>[] {
  return extensions.filter(({ stage }) => isAsked(stage)).map((extension) => toJudgingStep(extension, limitMs));
}

function isUpToVerdict({ stage }: PipelineStep<RunningCall>): boolean {
  return stageIndex(stage) <= stageIndex("authorize_arguments");
}

/** The strictest mode anybody names; what extensions name stays, what the configuration names is asked for. */
function compileMode({ approvalMode }: ChainParts, extensions: readonly Extension[]): () => ApprovalMode {
  const named = extensions.flatMap(({ approval }) => approval?.mode ?? []);
  const usual = named.length === 0 ? "unsafe_only" : "never";
  const strictest = new Map(APPROVAL_MODES.map((mode) => [mode, toStrictest([mode, ...named])]));
  // What is no mode must not become a loose one (SEC-CFG-1).
  return () => strictest.get(approvalMode() ?? usual) ?? "by_rule";
}

function toStrictest(modes: readonly ApprovalMode[]): ApprovalMode {
  return APPROVAL_MODES.findLast((mode) => modes.includes(mode)) ?? "by_rule";
}
