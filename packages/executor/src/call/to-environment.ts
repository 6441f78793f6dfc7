import type { CallEnvironment, ToolResult } from "@aiw/core";
import { askAnswerer, type Answerer } from "./answerer.ts";
import type { ExecuteOptions } from "./execute-options.ts";
import type { RunningCall } from "./running-call.ts";
import { tellCall } from "./tell-call.ts";

/** Makes a call within a call. */
export type NestedCall = (name: string, input: unknown, options: ExecuteOptions) => Promise<ToolResult>;

/** What an executor lends to every running tool. */
export interface EnvironmentHost {
  readonly maxResultCharacters: number;
  readonly callTool: NestedCall;
  readonly answerer: Answerer | undefined;
}

/** What a running tool is lent; what it calls inherits the conversation, never an approver of its own call. */
export function toEnvironment(call: RunningCall, host: EnvironmentHost): CallEnvironment {
  const { options, request } = call;
  const { answerer, maxResultCharacters } = host;
  return {
    callId: call.callId,
    abort: call.abort,
    sessionId: call.sessionId,
    principal: options.principal,
    session: options.session,
    workspace: request.workspace,
    log: request.log,
    maxResultCharacters,
    onOutput: (chunk, channel) => tellCall(call, "tool_output_chunk", { chunk, channel }),
    onProgress: (progress) => tellCall(call, "tool_progress", progress),
    // A dry run must have no effect, through whatever an assessment calls.
    requestInput:
      request.dryRun || answerer === undefined
        ? undefined
        : (key, question) => askAnswerer(answerer, call, { key, request: question }),
    callTool: request.dryRun ? undefined : (name, input) => host.callTool(name, input, toInherited(options)),
  };
}

function toInherited(options: ExecuteOptions): ExecuteOptions {
  const { session, sessionId, turn, principal, workspace, catalog, activity } = options;
  return {
    ...(session !== undefined && { session }),
    ...(sessionId !== undefined && { sessionId }),
    ...(turn !== undefined && { turn }),
    ...(principal !== undefined && { principal }),
    ...(workspace !== undefined && { workspace }),
    ...(catalog !== undefined && { catalog }),
    ...(activity !== undefined && { activity }),
  };
}
