import type { ArgumentRepair, ToolResult } from "@aiw/core";
import { toEventArguments } from "../bound/show-arguments.ts";
import type { RunningCall } from "../call/running-call.ts";
import { toSentence } from "../call/to-sentence.ts";
import { isHeard, tellCall } from "../call/tell-call.ts";
import type { ClosingStep, PipelineStep } from "../pipeline/run-stages.ts";

/** Tells of arguments that were repaired before the call was announced. */
export const tellRepairsStep: PipelineStep<RunningCall> = {
  stage: "audit_open",
  before: (call) => {
    if (call.repairs.length > 0) tellRepairs(call);
  },
};

/** Tells what was done to the arguments so far. */
export function tellRepairs(call: RunningCall): void {
  if (!isHeard(call, "tool_arguments_repaired")) return;
  const shown = toEventArguments(call.bounded?.value ?? {}, call.spec?.inputSchema);
  tellCall(call, "tool_arguments_repaired", { repairs: call.repairs, arguments: shown });
}

/**
 * Whoever is asked hears of repairs; a call that changes something on the strength of a guess, and about which nobody is
 * asked, is refused as if nothing had been repaired: sending it again is cheap.
 */
export const judgeRepairsStep: PipelineStep<RunningCall> = {
  stage: "authorize_arguments",
  before: (call) => {
    const { verdict, repairs, guessed } = call;
    if (repairs.length === 0 || verdict === undefined) return;
    if (verdict.decision === "ask") {
      call.verdict = { ...verdict, reason: `${toSentence(verdict.reason)} ${toNotice(repairs)}` };
    } else if (guessed !== undefined && !verdict.effects.readOnly) {
      throw guessed;
    }
  },
};

/** Says to the model what was repaired, so that it sends its next call right. */
export const noteRepairsStep: ClosingStep<RunningCall, ToolResult> = {
  stage: "bound_result",
  after: ({ repairs }, result) => {
    if (repairs.length === 0) return result;
    return { ...result, notices: [...(result.notices ?? []), toNotice(repairs)] };
  },
};

function toNotice(repairs: readonly ArgumentRepair[]): string {
  const parts = repairs.map(({ path, problem }) => (path === "" ? problem : `${path} ${problem}`));
  return `The arguments were repaired before the call was judged: ${parts.join("; ")}.`;
}
