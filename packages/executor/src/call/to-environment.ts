import type {
  AbortSource,
  CallEnvironment,
  Principal,
  SessionStore,
  ToolLog,
  ToolProgress,
  ToolResult,
  TraceContext,
  WorkspaceRoots,
} from "@aiw/core";
import type { Answerer } from "./answerer.ts";
import { correlateLog } from "./correlate-log.ts";
import type { ExecuteOptions } from "./execute-options.ts";
import type { AskedCall } from "./open-call.ts";
import type { RunningCall } from "./running-call.ts";
import { requestAnswer } from "./request-answer.ts";
import { tellCall } from "./tell-call.ts";

/** What an executor lends to every running tool. */
export interface EnvironmentHost {
  readonly maxResultCharacters: number;
  /** Makes a call within a call. */
  readonly callTool: (asked: AskedCall) => Promise<ToolResult>;
  readonly answerer: Answerer | undefined;
}

/** What a running tool is lent; what it calls inherits the conversation, never an approver of its own call. */
export function toEnvironment(call: RunningCall, host: EnvironmentHost): CallEnvironment {
  return new LentEnvironment(call, host);
}

/** Looks everything up when it is asked for: most tools ask for little. */
class LentEnvironment implements CallEnvironment {
  readonly #call: RunningCall;
  readonly #host: EnvironmentHost;

  constructor(call: RunningCall, host: EnvironmentHost) {
    this.#call = call;
    this.#host = host;
  }

  get callId(): string {
    return this.#call.callId;
  }

  get abort(): AbortSource {
    return this.#call;
  }

  get sessionId(): string | undefined {
    return this.#call.sessionId;
  }

  get turn(): number | undefined {
    return this.#call.turn;
  }

  get principal(): Principal | undefined {
    return this.#call.options.principal;
  }

  get idempotencyKey(): string | undefined {
    return this.#call.options.idempotencyKey;
  }

  get session(): SessionStore | undefined {
    return this.#call.options.session;
  }

  get workspace(): WorkspaceRoots | undefined {
    return this.#call.workspace;
  }

  get log(): ToolLog | undefined {
    const { log } = this.#call;
    return log && correlateLog(log, this.#call);
  }

  get maxResultCharacters(): number {
    return this.#host.maxResultCharacters;
  }

  get traceContext(): TraceContext | undefined {
    return this.#call.traceContext;
  }

  // A dry run must have no effect, through whatever an assessment calls: it asks nobody and calls nothing.

  get requestInput(): CallEnvironment["requestInput"] {
    const { answerer } = this.#host;
    const { dryRun, suspending } = this.#call;
    if (dryRun || (answerer === undefined && suspending === undefined)) return undefined;
    return (key, request) => requestAnswer(this.#call, answerer, { key, request });
  }

  get callTool(): CallEnvironment["callTool"] {
    if (this.#call.dryRun) return undefined;
    const parent = this.#call;
    return (name, input) => this.#host.callTool({ name, input, options: toInherited(parent.options), parent });
  }

  onOutput(chunk: string, channel: string): void {
    tellCall(this.#call, "tool_output_chunk", { chunk, channel });
  }

  onProgress(progress: ToolProgress): void {
    tellCall(this.#call, "tool_progress", progress);
  }
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
