import {
  createCallContext,
  definitionHash,
  describeThrown,
  ToolError,
  validateCall,
  type CallEnvironment,
  type Tool,
} from "@aiw/core";
import type { RunningCall } from "../call/running-call.ts";
import type { PipelineStep } from "../pipeline/run-stages.ts";
import { assertExecutor, type Executors } from "./execute-step.ts";

/** What validation needs of the host. */
export interface ValidateStepOptions {
  readonly executors: Executors;
  toEnvironment(call: RunningCall): CallEnvironment;
}

/** Loads the tool at its first call, checks the arguments, and makes the context it will run in. */
export function validateStep({ executors, toEnvironment }: ValidateStepOptions): PipelineStep<RunningCall> {
  return {
    stage: "validate_input",
    before: async (call) => {
      const tool = call.tool ?? (await loadTool(call));
      call.tool = tool;
      assertExecutor(executors, tool.spec.type);
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
    throw new ToolError("load_failed", `The tool's code could not be loaded: ${describeThrown(cause)}`, { cause });
  }
  throw new ToolError("tool_not_found", "No tool answers to the name.");
}
