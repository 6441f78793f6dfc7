import type {
  InputAnswer,
  InputRequest,
  Session,
  ToolContext,
  ToolLog,
  ToolProgress,
  WorkspaceRoots,
} from "../contract/tool-context.ts";
import type { Principal, ToolResult } from "../contract/tool-result.ts";
import { ToolError } from "../errors/tool-error.ts";
import { cut } from "../schema/show-value.ts";
import { SessionStore } from "./session-store.ts";
import { toFailure } from "./settle-call.ts";

/** What a host lends to one call; everything left out is absent for the tool, never taken from the process. */
export interface CallEnvironment {
  readonly callId?: string;
  readonly sessionId?: string;
  readonly principal?: Principal;
  /** Aborts the call; a `ToolError` as its reason becomes the result. */
  readonly signal?: AbortSignal;
  /** No root, no file. */
  readonly workspace?: WorkspaceRoots;
  /** State of the conversation; a call without one gets a store of its own that ends with it. */
  readonly session?: SessionStore;
  readonly log?: ToolLog;
  /** Characters of a result, as JSON, that the host passes on; absent means all. */
  readonly maxResultCharacters?: number;
  onOutput?(chunk: string, channel: string): void;
  onProgress?(progress: ToolProgress): void;
  requestInput?(key: string, request: InputRequest): Promise<InputAnswer>;
  callTool?(name: string, input: unknown): Promise<ToolResult>;
}

/** A context and its end, after which the tool's output goes nowhere. */
export interface CallContext extends AsyncDisposable {
  readonly context: ToolContext;
}

/** Characters of one output event; longer chunks are cut into several. */
const MAX_CHUNK_LENGTH = 64 * 1024;

/** Characters of a channel's name and of the message of a progress event. */
const MAX_CHANNEL_LENGTH = 64;
const MAX_MESSAGE_LENGTH = 1000;

const NO_WORKSPACE: WorkspaceRoots = Object.freeze({ cwd: "/", roots: Object.freeze([]) });

const SILENT_LOG: ToolLog = Object.freeze({ debug() {}, info() {}, warn() {}, error() {} });

/** Makes the context of one call; `options` are the package's settings after validation. */
export function createCallContext(environment: CallEnvironment, options: unknown): CallContext {
  const own = environment.session === undefined ? new SessionStore(environment.sessionId) : undefined;
  const store = own ?? environment.session ?? new SessionStore();
  const context = new RunningCall(environment, store, options);
  return {
    context,
    async [Symbol.asyncDispose]() {
      context.end();
      await own?.[Symbol.asyncDispose]();
    },
  };
}

/** The context as one object with lazy parts: most calls never touch the signal or the session. */
class RunningCall implements ToolContext {
  readonly callId: string;
  readonly sessionId: string;
  readonly workspace: WorkspaceRoots;
  readonly options: ToolContext["options"];
  readonly log: ToolLog;
  readonly principal?: Principal;
  readonly maxResultCharacters?: number;
  readonly #environment: CallEnvironment;
  readonly #store: SessionStore;
  #signal: AbortSignal | undefined;
  #ended = false;

  constructor(environment: CallEnvironment, store: SessionStore, options: unknown) {
    this.callId = environment.callId ?? crypto.randomUUID();
    this.sessionId = environment.sessionId ?? store.id;
    this.workspace = environment.workspace ?? NO_WORKSPACE;
    this.options = options as ToolContext["options"];
    this.log = environment.log ?? SILENT_LOG;
    if (environment.principal !== undefined) this.principal = environment.principal;
    if (environment.maxResultCharacters !== undefined) this.maxResultCharacters = environment.maxResultCharacters;
    this.#environment = environment;
    this.#store = store;
    this.#signal = environment.signal;
    // Authors take methods apart: `const { emitOutput } = context`.
    this.emitOutput = this.emitOutput.bind(this);
    this.emitProgress = this.emitProgress.bind(this);
    this.requestInput = this.requestInput.bind(this);
    this.callTool = this.callTool.bind(this);
  }

  get signal(): AbortSignal {
    this.#signal ??= new AbortController().signal;
    return this.#signal;
  }

  get session(): Session {
    const { options, workspace, log } = this;
    const store = this.#store;
    return { id: store.id, get: (key) => store.get(key, { options, workspace, log }) };
  }

  emitOutput(chunk: string, { channel = "stdout" }: { readonly channel?: string } = {}): void {
    const text = String(chunk);
    const name = cut(String(channel), MAX_CHANNEL_LENGTH);
    for (let start = 0; start < text.length && !this.#ended;) {
      const part = wellFormedPart(text, start);
      this.#tell(() => this.#environment.onOutput?.(part, name));
      start += part.length;
    }
  }

  emitProgress({ progress, total, message }: ToolProgress): void {
    if (this.#ended) return;
    const shown = {
      progress,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message: cut(String(message), MAX_MESSAGE_LENGTH) }),
    };
    this.#tell(() => this.#environment.onProgress?.(shown));
  }

  async requestInput(key: string, request: InputRequest): Promise<InputAnswer> {
    if (this.#environment.requestInput !== undefined) return this.#environment.requestInput(key, request);
    throw new ToolError("input_unavailable", `Nobody is there to answer: ${request.message}`, {
      suggestion: "Give the answer as an argument, or let the host answer questions of tools.",
    });
  }

  async callTool(name: string, input: unknown): Promise<ToolResult> {
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

  end(): void {
    this.#ended = true;
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
