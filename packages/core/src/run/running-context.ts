import type {
  InputAnswer,
  InputRequest,
  Session,
  ToolContext,
  ToolLog,
  ToolProgress,
  TraceContext,
  WorkspaceRoots,
} from "../contract/tool-context.ts";
import type { Principal, ToolResult } from "../contract/tool-result.ts";
import { ToolError } from "../errors/tool-error.ts";
import { cut } from "../schema/show-value.ts";
import type { CallEnvironment } from "./call-environment.ts";
import { createNever, fromSignal, type AbortSource } from "./abort-source.ts";
import { SessionStore } from "./session-store.ts";
import { toFailure } from "./settle-call.ts";

/** Characters of one output event; longer chunks are cut into several. */
const MAX_CHUNK_LENGTH = 64 * 1024;

/** Characters of a channel's name and of the message of a progress event. */
const MAX_CHANNEL_LENGTH = 64;
const MAX_MESSAGE_LENGTH = 1000;

const NO_WORKSPACE: WorkspaceRoots = Object.freeze({ cwd: "/", roots: Object.freeze([]) });

const SILENT_LOG: ToolLog = Object.freeze({ debug() {}, info() {}, warn() {}, error() {} });

/** The context as one object with lazy parts: most calls never touch the signal, the session, or what streams. */
export class RunningContext implements ToolContext {
  readonly callId: string;
  readonly workspace: WorkspaceRoots;
  readonly options: ToolContext["options"];
  readonly log: ToolLog;
  readonly turn?: number;
  readonly principal?: Principal;
  readonly maxResultCharacters?: number;
  readonly #environment: CallEnvironment;
  #abort: AbortSource | undefined;
  /** State of a call without a conversation; ends with the call. */
  #own: SessionStore | undefined;
  #ended = false;

  constructor(environment: CallEnvironment, options: unknown) {
    const { turn, principal, maxResultCharacters } = environment;
    this.callId = environment.callId ?? crypto.randomUUID();
    this.workspace = environment.workspace ?? NO_WORKSPACE;
    this.options = options as ToolContext["options"];
    this.log = environment.log ?? SILENT_LOG;
    if (turn !== undefined) this.turn = turn;
    if (principal !== undefined) this.principal = principal;
    if (maxResultCharacters !== undefined) this.maxResultCharacters = maxResultCharacters;
    this.#environment = environment;
  }

  static abortOf(context: ToolContext): AbortSource | undefined {
    return #environment in context ? context.#source : undefined;
  }

  /** No method of the context: a tool must not end its own call. */
  static end(context: RunningContext): void | Promise<void> {
    context.#ended = true;
    return context.#own?.[Symbol.asyncDispose]();
  }

  get sessionId(): string {
    return this.#environment.sessionId ?? this.#store.id;
  }

  get signal(): AbortSignal {
    return this.#source.signal;
  }

  get session(): Session {
    const { options, workspace, log } = this;
    const store = this.#store;
    return { id: store.id, get: (key) => store.get(key, { options, workspace, log }) };
  }

  get idempotencyKey(): string | undefined {
    return this.#environment.idempotencyKey;
  }

  get traceContext(): TraceContext | undefined {
    return this.#environment.traceContext;
  }

  // Authors take methods apart, `const { emitOutput } = context`, so that each is a function of its own.

  get emitOutput(): ToolContext["emitOutput"] {
    return (chunk, options) => this.#emitOutput(chunk, options);
  }

  get emitProgress(): ToolContext["emitProgress"] {
    return (progress) => this.#emitProgress(progress);
  }

  get requestInput(): ToolContext["requestInput"] {
    return (key, request) => this.#requestInput(key, request);
  }

  get callTool(): ToolContext["callTool"] {
    return (name, input) => this.#callTool(name, input);
  }

  get #source(): AbortSource {
    const { abort, signal } = this.#environment;
    this.#abort ??= abort ?? (signal === undefined ? createNever() : fromSignal(signal));
    return this.#abort;
  }

  get #store(): SessionStore {
    if (this.#environment.session !== undefined) return this.#environment.session;
    if (this.#own !== undefined) return this.#own;
    this.#own = new SessionStore(this.#environment.sessionId);
    // Work that goes on after its call finds state that has ended.
    if (this.#ended) void this.#own[Symbol.asyncDispose]();
    return this.#own;
  }

  #emitOutput(chunk: string, { channel = "stdout" }: { readonly channel?: string } = {}): void {
    const text = String(chunk);
    const name = cut(String(channel), MAX_CHANNEL_LENGTH);
    for (let start = 0; start < text.length && !this.#ended;) {
      const part = wellFormedPart(text, start);
      this.#tell(() => this.#environment.onOutput?.(part, name));
      start += part.length;
    }
  }

  #emitProgress({ progress, total, message }: ToolProgress): void {
    if (this.#ended) return;
    const shown = {
      progress,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message: cut(String(message), MAX_MESSAGE_LENGTH) }),
    };
    this.#tell(() => this.#environment.onProgress?.(shown));
  }

  async #requestInput(key: string, request: InputRequest): Promise<InputAnswer> {
    if (this.#environment.requestInput !== undefined) return this.#environment.requestInput(key, request);
    throw new ToolError("input_unavailable", `Nobody is there to answer: ${request.message}`, {
      suggestion: "Give the answer as an argument, or let the host answer questions of tools.",
    });
  }

  async #callTool(name: string, input: unknown): Promise<ToolResult> {
    if (this.#environment.callTool !== undefined) return this.#environment.callTool(name, input);
    const error = new ToolError("tool_not_found", "This call has no registry to find tools in.", {
      suggestion: "Run the call through an executor, or pass callTool.",
    });
    const call = {
      callId: crypto.randomUUID(),
      toolId: name,
      toolName: name,
      startedAt: Date.now(),
      durationMs: 0,
      attempts: 0,
    };
    return toFailure(error, { spec: { name }, input, call });
  }

  /** A host that fails to listen is not the tool's fault. */
  #tell(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      this.log.error("A listener to a tool's output failed.", { callId: this.callId, error });
    }
  }
}

/** The next part of a long text; no character is cut in two. */
function wellFormedPart(text: string, start: number): string {
  const end = start + MAX_CHUNK_LENGTH;
  const last = text.charCodeAt(end - 1);
  const splits = end < text.length && last >= 0xd800 && last <= 0xdbff;
  return text.slice(start, splits ? end - 1 : end);
}
