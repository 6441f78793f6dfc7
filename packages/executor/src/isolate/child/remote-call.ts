import {
  createCallContext,
  toFailure,
  toSuccess,
  ToolError,
  type CallContext,
  type CallEnvironment,
  type CallRecord,
  type InputAnswer,
  type SessionStore,
  type ToolLog,
  type ToolResult,
} from "@aiw/core";
import { decodeValue } from "../wire/decode-value.ts";
import { encodeValue } from "../wire/encode-value.ts";
import { fromWireFailure, toWireFailure, type WireFailure } from "../wire/failure.ts";
import type { HostMessage, ProcessMessage, WireQuestion } from "../wire/messages.ts";
import { drainOutput } from "./drain-output.ts";
import { parse, type OpenTool } from "./open-tools.ts";

/** What a call needs of its process. */
export interface CallPorts {
  tell(message: ProcessMessage): void;
  openSession(number: number, sessionId: string): SessionStore;
}

type CallMessage = Extract<HostMessage, { readonly t: "assess" | "execute" }>;
type Answer = Extract<HostMessage, { readonly t: "answer" }>;

const PREVIEW_LINES = 3;

/** One call in the process of its package: the tool is given a context like any other's. */
export class RemoteCall {
  readonly #message: CallMessage;
  readonly #open: OpenTool;
  readonly #ports: CallPorts;
  readonly #abort = new AbortController();
  readonly #questions = new Map<number, PromiseWithResolvers<unknown>>();
  /** Failures that were the answer to a question, which the host knows better. */
  readonly #told = new WeakMap<object, number>();
  readonly #running: CallContext;
  #asked = 0;
  #session: Promise<SessionStore> | undefined;

  constructor(message: CallMessage, open: OpenTool, ports: CallPorts) {
    this.#message = message;
    this.#open = open;
    this.#ports = ports;
    this.#running = createCallContext(this.#toEnvironment(), open.options);
  }

  abort(reason: WireFailure): void {
    this.#abort.abort(fromWireFailure(reason));
  }

  answer({ ask, value, failure }: Answer): void {
    const question = this.#questions.get(ask);
    this.#questions.delete(ask);
    if (failure === undefined) return question?.resolve(decodeValue(value));
    const error = fromWireFailure(failure);
    this.#told.set(error, ask);
    question?.reject(error);
  }

  /** Does the work and says how it went. */
  async run(input: unknown): Promise<ProcessMessage> {
    const { id, t } = this.#message;
    try {
      const value = t === "assess" ? await this.#assess(input) : await this.#execute(input);
      return t === "assess" ? { t: "done", id, value: encodeValue(value) } : await this.#toDone(value);
    } catch (thrown) {
      const ask = typeof thrown === "object" && thrown !== null ? this.#told.get(thrown) : undefined;
      const failure = { ...toWireFailure(thrown), ...(ask !== undefined && { ask }) };
      return { t: "failed", id, failure, ...this.#preview(() => this.#toFailure(thrown)) };
    }
  }

  async end(): Promise<void> {
    await this.#running.end();
  }

  async #assess(input: unknown): Promise<unknown> {
    const verdict = await this.#open.tool.assess?.(input, this.#running.context as never);
    return verdict?.failure === undefined ? verdict : { ...verdict, failure: toWireFailure(verdict.failure) };
  }

  #execute(input: unknown): unknown {
    const { context } = this.#running;
    return drainOutput(this.#open.tool.execute(input, context as never), context, this.#abort.signal);
  }

  async #toDone(value: unknown): Promise<ProcessMessage> {
    const { id } = this.#message;
    const parsed = await parse(this.#open.tool.parseOutput, value);
    if (parsed.issues !== undefined) return { t: "done", id, issues: parsed.issues };
    return {
      t: "done",
      id,
      value: encodeOutput(parsed.value),
      ...this.#preview(() => toSuccess(parsed.value, this.#toRecord())),
    };
  }

  #toFailure(thrown: unknown): ToolResult {
    const { spec } = this.#open.tool;
    return toFailure(thrown, { spec, input: this.#message.input, call: this.#toRecord() });
  }

  /** A preview is for people; one that fails leaves it to the host. */
  #preview(toResult: () => ToolResult): { readonly preview?: readonly string[] } {
    const { tool } = this.#open;
    if (tool.preview === undefined || this.#message.t === "assess") return {};
    try {
      const lines: unknown = tool.preview(toResult(), PREVIEW_LINES);
      return Array.isArray(lines) ? { preview: lines.slice(0, PREVIEW_LINES).map(String) } : {};
    } catch {
      return {};
    }
  }

  #toRecord(): CallRecord {
    const { callId, sessionId } = this.#message.call;
    const { name } = this.#open.tool.spec;
    return { callId, toolId: name, toolName: name, sessionId, startedAt: Date.now(), durationMs: 0, attempts: 1 };
  }

  #toEnvironment(): CallEnvironment {
    const { id, call } = this.#message;
    const tell = this.#ports.tell.bind(this.#ports);
    return {
      ...call,
      signal: this.#abort.signal,
      session: this.#toSession(),
      log: this.#toLog(),
      onOutput: (chunk, channel) => tell({ t: "output", id, chunk, channel }),
      onProgress: (progress) => tell({ t: "progress", id, progress: encodeValue(progress) }),
      requestInput: (key, request) =>
        this.#ask({ kind: "input", key, request: encodeValue(request) }) as Promise<InputAnswer>,
      callTool: (name, input) => this.#ask({ kind: "call", name, input: encodeValue(input) }) as Promise<ToolResult>,
    };
  }

  /** State begins at its first use: most tools have none. */
  #toSession(): SessionStore {
    const { sessionId } = this.#message.call;
    const get: SessionStore["get"] = async (key, context) => {
      this.#session ??= this.#ask({ kind: "session" }).then((number) =>
        this.#ports.openSession(Number(number), sessionId),
      );
      return (await this.#session).get(key, context);
    };
    return { id: sessionId, get } as SessionStore;
  }

  #toLog(): ToolLog {
    const { id } = this.#message;
    const write =
      (level: keyof ToolLog): ToolLog["info"] =>
      (message, fields) => {
        this.#ports.tell({
          t: "log",
          id,
          level,
          message: String(message),
          ...(fields && { fields: encodeFacts(fields) }),
        });
      };
    return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
  }

  #ask(question: WireQuestion): Promise<unknown> {
    const ask = (this.#asked += 1);
    const answer = Promise.withResolvers<unknown>();
    this.#questions.set(ask, answer);
    this.#ports.tell({ t: "ask", id: this.#message.id, ask, ...question });
    return answer.promise;
  }
}

/** As a host finds it when it reads a result. */
function encodeOutput(value: unknown): unknown {
  try {
    return encodeValue(value);
  } catch (cause) {
    throw new ToolError("invalid_output", "The tool gave a value that cannot be read as JSON.", { cause });
  }
}

function encodeFacts(fields: object): unknown {
  try {
    return encodeValue(fields);
  } catch {
    return {};
  }
}
