import { ToolError } from "@aiw/core";
import { toExtensionError } from "../call/extension-error.ts";
import type { Expiry } from "../call/call-clock.ts";
import type { RunningCall } from "../call/running-call.ts";
import type { PipelineStep } from "../pipeline/run-stages.ts";
import { stageIndex } from "../pipeline/stages.ts";
import type { ToolLimits } from "./tool-limits.ts";

/** Milliseconds a call may work when neither the tool nor the host says. */
export const DEFAULT_TIMEOUT_MS = 60_000;

/** Longest delay a timer keeps. */
export const MAX_DELAY_MS = 2_147_483_647;

/** Who has a say in how long a call may work, in milliseconds: the first one named holds. */
export interface TimeoutWishes {
  /** The operator's for this tool or, where there is none, for its category. */
  readonly operator?: number | undefined;
  /** The tool's own: `spec.metadata.timeoutMs`. */
  readonly tool?: number | undefined;
  /** The host's, for tools that name none. */
  readonly host?: number | undefined;
  /** The caller's, which can only lower the others'. */
  readonly caller?: number | undefined;
}

/** Decides how long a call may work; wishes that are no positive number are no wishes. */
export function resolveTimeout({ operator, tool, host, caller }: TimeoutWishes): number {
  const limit = positive(operator) ?? positive(tool) ?? positive(host) ?? DEFAULT_TIMEOUT_MS;
  return Math.min(limit, positive(caller) ?? limit, MAX_DELAY_MS);
}

/** Makes the failure of a call that worked too long. */
export function timeoutError(timeoutMs: number, what: string = "Timed out"): ToolError {
  const shown = timeoutMs >= 1000 ? `${Number((timeoutMs / 1000).toFixed(1))} s` : `${Math.round(timeoutMs)} ms`;
  return new ToolError("timeout", `${what} after ${shown}.`);
}

/** Bounds loading, validating, assessing and asking extensions; who does not answer in time has said no (SEC-APR-5). */
export function preparationStep(limitMs: number): PipelineStep<RunningCall> {
  return {
    stage: "authorize_tool",
    before: (call) => {
      call.clock.start(limitMs, endPreparation);
    },
  };
}

function endPreparation(call: RunningCall, { timeoutMs }: Expiry): void {
  call.abort.abort(toPreparationError(call, timeoutMs));
}

function toPreparationError({ blamed, stage }: RunningCall, limitMs: number): ToolError {
  if (blamed !== undefined) return toExtensionError(blamed, "The call was refused, since", "did not answer in time");
  if (stage !== stageIndex("authorize_arguments")) return timeoutError(limitMs, "Timed out before the tool started");
  return new ToolError(
    "denied_by_tool",
    "Denied by assessment_timeout: The tool's own assessment did not answer in time.",
  );
}

/** Runs the later stages, all attempts and the waits between them, against one clock; what is aborted for its sake says so. */
export function timeoutStep(hostTimeoutMs: number | undefined, limits: ToolLimits): PipelineStep<RunningCall> {
  return {
    stage: "timeout_retry",
    before: (call) => {
      const limit = resolveTimeout({
        operator: limits.of(call).timeoutMs,
        tool: call.spec?.metadata.timeoutMs,
        host: hostTimeoutMs,
        caller: call.options.timeoutMs,
      });
      // The end of the call stops it.
      call.clock.start(limit, endWork);
    },
  };
}

function endWork(call: RunningCall, { timeoutMs, blocked }: Expiry): void {
  call.abort.abort(blocked ? toBlockedError(timeoutMs) : toLateError(call, timeoutMs));
}

/** What computes without a pause ends when it likes: a limit can only tell of it, except in a process of its own. */
function toBlockedError(limitMs: number): ToolError {
  const { message } = timeoutError(limitMs);
  return new ToolError("timeout", `${message} It computed without a pause, which nothing in its process can stop.`);
}

function toLateError({ blamed, attempts }: RunningCall, limitMs: number): ToolError {
  if (blamed === undefined) return timeoutError(limitMs);
  const consequence =
    attempts === 0 ? "The call was refused, since" : "The work was done; its result is withheld, since";
  return toExtensionError(blamed, consequence, "did not answer in time");
}

function positive(value: number | undefined): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : undefined;
}
