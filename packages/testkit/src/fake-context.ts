import {
  createCallContext,
  SessionStore,
  type CallEnvironment,
  type InputAnswer,
  type InputRequest,
  type ToolContext,
  type ToolLog,
  type ToolProgress,
  type ToolResult,
} from "@aiw/core";

/** What a tool said while it ran. */
export interface Recorded {
  readonly output: { readonly chunk: string; readonly channel: string }[];
  readonly progress: ToolProgress[];
  readonly logs: { readonly level: keyof ToolLog; readonly message: string; readonly fields?: unknown }[];
  readonly questions: { readonly key: string; readonly request: InputRequest }[];
  readonly calls: { readonly name: string; readonly input: unknown }[];
}

/** What a fake context is made of; all of it is optional. */
export interface FakeContextOptions extends Omit<
  CallEnvironment,
  "onOutput" | "onProgress" | "log" | "requestInput" | "callTool"
> {
  /** The package's options as `execute` receives them. */
  readonly options?: unknown;
  /** Answers by question key; a question without one is declined. */
  readonly answers?: { readonly [key: string]: InputAnswer };
  /** Results of nested calls. */
  callTool?(name: string, input: unknown): Promise<ToolResult>;
}

/** A context that records, and the environment to give to `runTool` for the same. */
export interface FakeContext extends AsyncDisposable {
  readonly context: ToolContext;
  readonly environment: CallEnvironment;
  readonly recorded: Recorded;
  /** Everything streamed so far, as one text. */
  text(): string;
}

/** Makes a context with a session of its own; disposing it disposes the session, so leaks show. */
export function fakeContext(options: FakeContextOptions = {}): FakeContext {
  const recorded: Recorded = { output: [], progress: [], logs: [], questions: [], calls: [] };
  const session = options.session ?? new SessionStore(options.sessionId ?? "test-session");
  const environment: CallEnvironment = {
    callId: "test-call",
    ...options,
    session,
    log: recordingLog(recorded),
    onOutput: (chunk, channel) => void recorded.output.push({ chunk, channel }),
    onProgress: (progress) => void recorded.progress.push(progress),
    async requestInput(key, request) {
      recorded.questions.push({ key, request });
      return options.answers?.[key] ?? { action: "decline" };
    },
    ...(options.callTool && { callTool: recordingCalls(recorded, options.callTool.bind(options)) }),
  };
  const call = createCallContext(environment, options.options ?? {});
  return {
    context: call.context,
    environment,
    recorded,
    text: () => recorded.output.map(({ chunk }) => chunk).join(""),
    async [Symbol.asyncDispose]() {
      await call[Symbol.asyncDispose]();
      await session[Symbol.asyncDispose]();
    },
  };
}

function recordingLog(recorded: Recorded): ToolLog {
  const at = (level: keyof ToolLog) => (message: string, fields?: unknown) =>
    void recorded.logs.push({ level, message, ...(fields !== undefined && { fields }) });
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

function recordingCalls(
  recorded: Recorded,
  callTool: (name: string, input: unknown) => Promise<ToolResult>,
): CallEnvironment["callTool"] {
  return (name, input) => {
    recorded.calls.push({ name, input });
    return callTool(name, input);
  };
}
