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

/** One thing a tool said, in the words of `ActivityStream` where that has the same. */
export type RecordedEvent =
  | { readonly type: "tool_output_chunk"; readonly data: { readonly chunk: string; readonly channel: string } }
  | { readonly type: "tool_progress"; readonly data: ToolProgress }
  | { readonly type: "log"; readonly data: RecordedLog }
  | { readonly type: "question"; readonly data: { readonly key: string; readonly request: InputRequest } }
  | { readonly type: "nested_call"; readonly data: { readonly name: string; readonly input: unknown } };

/** One line of a log. */
export interface RecordedLog {
  readonly level: keyof ToolLog;
  readonly message: string;
  readonly fields?: unknown;
}

/** What a tool said while it ran: by kind, and all of it in order. */
export interface Recorded {
  readonly events: RecordedEvent[];
  readonly output: { readonly chunk: string; readonly channel: string }[];
  readonly progress: ToolProgress[];
  readonly logs: RecordedLog[];
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
  /** Everything streamed so far, or what one channel was given, as one text. */
  text(channel?: string): string;
  /** The types of what was recorded, in order. */
  types(): RecordedEvent["type"][];
}

/** Makes a context; disposing it disposes the session it made, so leaks show, and leaves one that was given open. */
export function fakeContext(options: FakeContextOptions = {}): FakeContext {
  const recorded: Recorded = { events: [], output: [], progress: [], logs: [], questions: [], calls: [] };
  const session = options.session ?? new SessionStore(options.sessionId ?? "test-session");
  const environment: CallEnvironment = {
    callId: "test-call",
    ...options,
    session,
    log: recordingLog(recorded),
    onOutput(chunk, channel) {
      recorded.output.push({ chunk, channel });
      recorded.events.push({ type: "tool_output_chunk", data: { chunk, channel } });
    },
    onProgress(progress) {
      recorded.progress.push(progress);
      recorded.events.push({ type: "tool_progress", data: progress });
    },
    async requestInput(key, request) {
      recorded.questions.push({ key, request });
      recorded.events.push({ type: "question", data: { key, request } });
      const { answers = {} } = options;
      return (Object.hasOwn(answers, key) ? answers[key] : undefined) ?? { action: "decline" };
    },
    ...(options.callTool && { callTool: recordingCalls(recorded, options.callTool.bind(options)) }),
  };
  const call = createCallContext(environment, options.options ?? {});
  return {
    context: call.context,
    environment,
    recorded,
    text: (channel) =>
      recorded.output
        .filter((output) => channel === undefined || output.channel === channel)
        .map(({ chunk }) => chunk)
        .join(""),
    types: () => recorded.events.map(({ type }) => type),
    async [Symbol.asyncDispose]() {
      await call[Symbol.asyncDispose]();
      if (options.session === undefined) await session[Symbol.asyncDispose]();
    },
  };
}

function recordingLog(recorded: Recorded): ToolLog {
  const at = (level: keyof ToolLog) => (message: string, fields?: unknown) => {
    const line = { level, message, ...(fields !== undefined && { fields }) };
    recorded.logs.push(line);
    recorded.events.push({ type: "log", data: line });
  };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

function recordingCalls(
  recorded: Recorded,
  callTool: (name: string, input: unknown) => Promise<ToolResult>,
): CallEnvironment["callTool"] {
  return (name, input) => {
    recorded.calls.push({ name, input });
    recorded.events.push({ type: "nested_call", data: { name, input } });
    return callTool(name, input);
  };
}
