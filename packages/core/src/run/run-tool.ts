import { isTool, type Tool } from "../contract/tool.ts";
import type { CallRecord, ToolResult } from "../contract/tool-result.ts";
import { AiwError } from "../errors/aiw-error.ts";
import { ToolError } from "../errors/tool-error.ts";
import { resolveDefinitionHash } from "../schema/definition-hash.ts";
import { BoundedInput } from "../validate/bounded-input.ts";
import { createCallContext } from "./call-context.ts";
import type { CallEnvironment } from "./call-environment.ts";
import { startCall } from "./execute-call.ts";
import { toFailure, toSuccess } from "./settle-call.ts";
import { admitCall } from "./validate-call.ts";

/** What a host lends to a call of {@link runTool}. */
export interface RunToolOptions extends CallEnvironment {
  /** The package's options as configured; the tool's schema checks them. */
  readonly options?: unknown;
}

/**
 * Runs one call of one tool without a registry or policy: validates, executes, checks the output.
 * Whatever the call does is the result.
 * @throws AiwError `tool_definition_invalid` for what is no tool, and for a class whose fields make no spec.
 */
export async function runTool<Input, Output>(
  tool: Tool<Input, Output>,
  input: unknown,
  options: RunToolOptions = {},
): Promise<ToolResult<Output>> {
  if (!isTool(tool)) throw noTool();
  const { spec } = tool;
  const startedAt = Date.now();
  const started = performance.now();
  const callId = options.callId ?? crypto.randomUUID();
  const record = (hash: string, attempts: number): CallRecord => ({
    callId,
    toolId: spec.name,
    toolName: spec.name,
    ...(options.sessionId !== undefined && { sessionId: options.sessionId }),
    ...(options.principal !== undefined && { principal: options.principal }),
    definitionHash: hash,
    startedAt,
    durationMs: performance.now() - started,
    attempts,
  });
  const tell = (message: string, error: unknown): void => {
    try {
      options.log?.error(message, { tool: spec.name, callId, error });
    } catch {
      // A log that fails does not decide how the call ended.
    }
  };
  let attempts = 0;
  try {
    const call = await admitCall(tool as Tool, new BoundedInput(input), options.options);
    const running = createCallContext({ ...options, callId }, call.options);
    attempts = options.signal?.aborted === true ? 0 : 1;
    try {
      const output = startCall(call, running.context);
      const value = (output instanceof Promise ? await output : output) as Output;
      const hash = resolveDefinitionHash(spec);
      return toSuccess(value, record(typeof hash === "string" ? hash : await hash, attempts), call.tool);
    } finally {
      // State that cannot be closed is no part of what the call did.
      const closing = running.end();
      if (closing !== undefined)
        await closing.catch((error: unknown) => tell("State of a call could not be closed.", error));
    }
  } catch (thrown) {
    if (attempts > 0 && !ToolError.is(thrown)) tell("A tool threw what is no ToolError.", thrown);
    const call = record(await resolveDefinitionHash(spec), attempts);
    return toFailure(thrown, { spec, input, call, tool: tool as Tool });
  }
}

function noTool(): AiwError {
  return new AiwError("tool_definition_invalid", "What is run must be a tool.", {
    fix: "Make it with defineTool, BaseTool or adaptTool.",
  });
}
