import {
  admitCall,
  BoundedInput,
  createCallContext,
  resolveDefinitionHash,
  toLoadError,
  ToolError,
  type CallEnvironment,
  type Tool,
  type ValidatedCall,
} from "@aiw/core";
import type { RunningCall } from "../call/running-call.ts";
import { whenReady } from "../call/when-ready.ts";
import type { PipelineStep } from "../pipeline/run-stages.ts";
import { assertExecutor, assertRunnable, type Executors } from "./execute-step.ts";

/** What validation needs of the host. */
export interface ValidateStepOptions {
  readonly executors: Executors;
  toEnvironment(call: RunningCall): CallEnvironment;
  /** Checks the arguments in place of the plain check, repairing what can be repaired. */
  readonly admit?:
    | ((call: RunningCall, tool: Tool, input: BoundedInput) => ValidatedCall | Promise<ValidatedCall>)
    | undefined;
}

const admitAsGiven: NonNullable<ValidateStepOptions["admit"]> = (call, tool, input) =>
  admitCall(tool, input, call.entry?.options);

/** Loads the tool at its first call, checks the arguments, and makes the context it will run in. */
export function validateStep({
  executors,
  toEnvironment,
  admit = admitAsGiven,
}: ValidateStepOptions): PipelineStep<RunningCall> {
  return {
    stage: "validate_input",
    before: (call) =>
      whenReady(call.tool ?? loadTool(call), (tool) => {
        call.tool = tool;
        assertExecutor(executors, tool.spec.type);
        const input = call.bounded ?? new BoundedInput(undefined);
        return whenReady(admit(call, tool, input), (validated) =>
          whenReady(assertRunnable(executors, validated), () =>
            whenReady(resolveDefinitionHash(validated.tool.spec), (hash) => {
              call.definitionHash = hash;
              if (call.ended) return;
              call.validated = validated;
              call.running = createCallContext(toEnvironment(call), validated.options);
            }),
          ),
        );
      }),
  };
}

/** Only declarations that give names alone have no definition until their code runs. */
async function loadTool({ entry }: RunningCall): Promise<Tool> {
  try {
    if (entry !== undefined) return await entry.load();
  } catch (cause) {
    throw toLoadError(cause);
  }
  throw new ToolError("tool_not_found", "No tool answers to the name.");
}
