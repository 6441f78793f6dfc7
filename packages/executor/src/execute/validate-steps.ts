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
export function validateSteps({
  executors,
  toEnvironment,
  admit = admitAsGiven,
}: ValidateStepOptions): readonly PipelineStep<RunningCall>[] {
  return [
    atValidation((call) => (call.tool === undefined ? loadTool(call) : undefined)),
    atValidation((call) => admitInput(call, admit, executors)),
    atValidation(({ validated }) => (validated === undefined ? undefined : assertRunnable(executors, validated))),
    atValidation(keepDefinitionHash),
    atValidation((call) => {
      call.running = createCallContext(toEnvironment(call), call.validated?.options);
    }),
  ];
}

function atValidation(before: (call: RunningCall) => void | Promise<void>): PipelineStep<RunningCall> {
  return { stage: "validate_input", before };
}

/** Only declarations that give names alone have no definition until their code runs. */
async function loadTool(call: RunningCall): Promise<void> {
  const { entry } = call;
  if (entry === undefined) throw new ToolError("tool_not_found", "No tool answers to the name.");
  try {
    call.tool = await entry.load();
  } catch (cause) {
    throw toLoadError(cause);
  }
}

function admitInput(
  call: RunningCall,
  admit: NonNullable<ValidateStepOptions["admit"]>,
  executors: Executors,
): void | Promise<void> {
  const { tool, bounded } = call;
  if (tool === undefined) return undefined;
  assertExecutor(executors, tool.spec.type);
  const admitted = admit(call, tool, bounded ?? new BoundedInput(undefined));
  if (admitted instanceof Promise) return keepAdmitted(call, admitted);
  call.validated = admitted;
}

async function keepAdmitted(call: RunningCall, admitting: Promise<ValidatedCall>): Promise<void> {
  call.validated = await admitting;
}

function keepDefinitionHash(call: RunningCall): void | Promise<void> {
  const { validated } = call;
  if (validated === undefined) return undefined;
  const hash = resolveDefinitionHash(validated.tool.spec);
  if (typeof hash !== "string") return keepHash(call, hash);
  call.definitionHash = hash;
}

async function keepHash(call: RunningCall, hashing: Promise<string>): Promise<void> {
  call.definitionHash = await hashing;
}
