import type { Tool } from "../contract/tool.ts";
import type { CallRecord, ToolResult } from "../contract/tool-result.ts";
import { ToolError } from "../errors/tool-error.ts";
import { definitionHash } from "../schema/definition-hash.ts";
import { createCallContext, type CallEnvironment } from "./call-context.ts";
import { executeCall } from "./execute-call.ts";
import { toFailure, toSuccess } from "./settle-call.ts";
import { validateCall } from "./validate-call.ts";

/** What a host lends to a call of {@link runTool}. */
export interface RunToolOptions extends CallEnvironment {
  /** The package's options as configured; the tool's schema checks them. */
  readonly options?: unknown;
}

/**
 * Runs one call of one tool without a registry or policy: validates, executes, checks the output.
 * Never throws: whatever happens is the result.
 */
export async function runTool<Input, Output>(tool: Tool<Input, Output>, input: unknown, options: RunToolOptions = {}): Promise<ToolResult<Output>> {
  const startedAt = Date.now();
  const started = performance.now();
  const callId = options.callId ?? crypto.randomUUID();
  const record = async (attempts: number): Promise<CallRecord> => ({
    callId,
    toolId: tool.spec.name,
    toolName: tool.spec.name,
    ...(options.sessionId !== undefined && { sessionId: options.sessionId }),
    ...(options.principal !== undefined && { principal: options.principal }),
    definitionHash: await definitionHash(tool.spec),
    startedAt,
    durationMs: performance.now() - started,
    attempts,
  });
  let attempts = 0;
  try {
    const call = await validateCall(tool as Tool, input, options.options);
    await using running = createCallContext({ ...options, callId }, call.options);
    attempts = 1;
    const value = (await executeCall(call, running.context)) as Output;
    return toSuccess(value, await record(attempts), call.tool);
  } catch (thrown) {
    if (attempts > 0 && !ToolError.is(thrown)) options.log?.error("A tool threw what is no ToolError.", { tool: tool.spec.name, error: thrown });
    return toFailure(thrown, { spec: tool.spec, input, call: await record(attempts), tool: tool as Tool });
  }
}
