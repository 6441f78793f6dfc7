import {
  boundInput,
  createCallContext,
  definitionHash,
  parseArguments,
  ToolError,
  validateCall,
  type CallEnvironment,
  type Tool,
} from "@aiw/core";
import { toEventArguments } from "../bound/show-arguments.ts";
import type { RunningCall } from "../call/running-call.ts";
import { tellCall } from "../call/tell-call.ts";
import type { PipelineStep } from "../pipeline/run-stages.ts";

/** Bounds the arguments before anything else looks at them; a refusal waits until the call is announced (SEC-VAL-1). */
export const boundInputStep: PipelineStep<RunningCall> = {
  stage: "bound_input",
  before: (call) => {
    try {
      const { given } = call.request;
      const isText = call.options.inputFormat === "json_text" && typeof given === "string";
      call.bounded = isText ? parseArguments(given) : boundInput(given);
    } catch (error) {
      call.refusal ??= ToolError.is(error)
        ? error
        : new ToolError("invalid_input", "The arguments cannot be read.", { cause: error });
    }
  },
};

/** Announces the call, refused ones included, so that every terminal event has a beginning. */
export const announceStep: PipelineStep<RunningCall> = {
  stage: "audit_open",
  before: (call) => {
    const { principal } = call.options;
    const shown = (): unknown =>
      call.bounded === undefined ? "[refused unseen]" : toEventArguments(call.bounded, call.spec?.inputSchema);
    if (call.request.streams.length > 0) {
      tellCall(call, "tool_call_start", { arguments: shown(), ...(principal !== undefined && { principal }) });
    }
    if (call.refusal !== undefined) throw call.refusal;
  },
};

/** What validation needs of the host. */
export interface ValidateStepOptions {
  /** Throws when no executor runs tools of the type. */
  assertRunnable(type: string): void;
  toEnvironment(call: RunningCall): CallEnvironment;
}

/** Loads the tool at its first call, checks the arguments, and makes the context it will run in. */
export function validateStep({ assertRunnable, toEnvironment }: ValidateStepOptions): PipelineStep<RunningCall> {
  return {
    stage: "validate_input",
    before: async (call) => {
      const tool = call.tool ?? (await loadTool(call));
      call.tool = tool;
      assertRunnable(tool.spec.type);
      const validated = await validateCall(tool, call.bounded, call.request.entry?.options ?? {});
      call.definitionHash = await definitionHash(validated.tool.spec);
      if (call.ended) return;
      call.validated = validated;
      call.running = createCallContext(toEnvironment(call), validated.options);
    },
  };
}

/** Only declarations that give names alone have no definition until their code runs. */
async function loadTool({ request: { entry } }: RunningCall): Promise<Tool> {
  try {
    if (entry !== undefined) return await entry.load();
  } catch (cause) {
    if (ToolError.is(cause)) throw cause;
    throw new ToolError(
      "load_failed",
      `The tool's code could not be loaded: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
  throw new ToolError("tool_not_found", "No tool answers to the name.");
}
