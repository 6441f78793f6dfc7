import {
  ActivityStream,
  assertKnownOptions,
  SessionStore,
  ToolError,
  ToolRegistry,
  type ToolCatalog,
  type ChangeList,
  type CompiledDefinitions,
  type DefinitionFormat,
  type FileUse,
  type Principal,
  type RevertOutcome,
  type Tool,
  type ToolResult,
  type WorkspaceRoots,
} from "@aiw/core";
import type { ExecuteOptions } from "./call/execute-options.ts";
import type { ResultReader } from "./call/result-reader.ts";
import type { SuspendedCall, SuspensionAnswers } from "./call/suspension.ts";
import { openWorkLog } from "./converse/open-work-log.ts";
import type { Authorization } from "./decide/authorization.ts";
import { memoryOf } from "./repeat/repeat-memory.ts";
import { UnifiedToolExecutor } from "./unified-tool-executor.ts";

/** Facts of one conversation that its calls share. */
export interface ToolManagerOptions {
  /** Names the conversation; a fresh id unless named. */
  readonly sessionId?: string;
  readonly principal?: Principal;
  /** The folders of this conversation, in place of the executor's. */
  readonly workspace?: WorkspaceRoots;
  /** A configured toolset: the conversation offers and may call its tools alone; all of them unless named. */
  readonly toolset?: string | undefined;
  /** Closed with the conversation, after its state. */
  readonly owns?: AsyncDisposable;
}

/** Which definitions a model is given. */
export interface FunctionDefinitionsOptions {
  /** `openai` unless named. */
  readonly format?: DefinitionFormat;
  /** Names of the tools to offer; all unless named. */
  readonly only?: readonly string[];
}

/** How changes are taken back or made again. */
export interface RevertOptions {
  /** Stops before the next change. */
  readonly signal?: AbortSignal;
}

/** Options of a call of a conversation whose host takes a suspension where somebody else waits or is refused. */
export interface SuspendableToolOptions extends ExecuteToolOptions {
  readonly suspend: true;
}

/** What may be said of one call of a conversation. */
export type ExecuteToolOptions = Omit<ExecuteOptions, "session" | "sessionId" | "turn" | "activity" | "catalog">;

const KNOWN_OPTIONS: ReadonlySet<string> = new Set<keyof ToolManagerOptions>([
  "sessionId",
  "principal",
  "workspace",
  "toolset",
  "owns",
]);

/** One conversation: its turn, its state, its events, and the tools it may call. */
export class ToolManager implements AsyncDisposable {
  readonly executor: UnifiedToolExecutor;
  /** The tools that are offered to the conversation's principal and may be called, as things are whenever it is asked. */
  readonly catalog: ToolCatalog;
  /** Tells of this conversation's calls. */
  readonly activity: ActivityStream;
  /** The toolset, or every tool: what calls may reach, as far as extensions let their caller. */
  readonly #ground: ToolCatalog;
  readonly #options: ToolManagerOptions;
  readonly #owned: readonly AsyncDisposable[];
  readonly #ownActivity: boolean;
  #session: SessionStore;
  #turn = 1;
  #closing: Promise<void> | undefined;

  /**
   * Opens a conversation on an executor, or on an executor of its own for a list of tools.
   * @throws AiwError `tool_name_taken`, `tool_definition_invalid` for tools that cannot stand beside each other, `toolset_unknown`,
   *   `config_invalid` for an option nobody knows
   */
  constructor(
    tools: UnifiedToolExecutor | readonly Tool[],
    activity?: ActivityStream,
    options: ToolManagerOptions = {},
  ) {
    assertKnownOptions("ToolManager", options, KNOWN_OPTIONS);
    this.executor = isToolList(tools) ? createExecutor(tools) : tools;
    const { toolset } = options;
    this.#ground = toolset === undefined ? this.executor.registry : this.executor.registry.toolset(toolset);
    const { extensions } = this.executor;
    this.catalog = this.#ground.narrow({
      version: () => extensions.version,
      isOffered: (tool, facts) => extensions.isOffered(tool, options.principal, facts),
    });
    this.#owned = [
      ...(isToolList(tools) ? [this.executor] : []),
      ...(options.owns === undefined ? [] : [options.owns]),
    ];
    this.activity = activity ?? new ActivityStream();
    this.#ownActivity = activity === undefined;
    this.#options = options;
    this.#session = new SessionStore(options.sessionId);
  }

  /** Every tool there is, offered or not. */
  get registry(): ToolRegistry {
    return this.executor.registry;
  }

  get sessionId(): string {
    return this.#session.id;
  }

  /** Counts from 1. */
  get turn(): number {
    return this.#turn;
  }

  /** Finds the offered tool that owns a name or has a full id. */
  getTool(name: string): Tool | undefined {
    return this.catalog.getToolByName(name);
  }

  /** The definitions a model is given; in the shape of OpenAI-compatible endpoints unless a format is named. */
  getFunctionDefinitions({
    format = "openai",
    only,
  }: FunctionDefinitionsOptions = {}): CompiledDefinitions["definitions"] {
    return this.catalog.getAllToolDefinitions({ format, ...(only !== undefined && { only }) });
  }

  /** The same, with what was left out and why. */
  compileDefinitions({ format = "openai", only }: FunctionDefinitionsOptions = {}): CompiledDefinitions {
    return this.catalog.compileDefinitions({ format, ...(only !== undefined && { only }) });
  }

  /** The prompt's block on every tool, separated by blank lines. */
  getAllAiPromptInstructions(): string {
    return this.catalog.getAllAiPromptInstructions();
  }

  /** Runs one call in this conversation; never throws. */
  executeTool(name: string, args: unknown, options: SuspendableToolOptions): Promise<ToolResult | SuspendedCall>;
  executeTool(name: string, args: unknown, options?: ExecuteToolOptions): Promise<ToolResult>;
  executeTool(
    name: string,
    args: unknown,
    options: ExecuteToolOptions & { readonly suspend?: boolean } = {},
  ): Promise<ToolResult | SuspendedCall> {
    return this.executor.execute(name, args, this.#toOptions(options));
  }

  /**
   * Goes on with a suspended call of this conversation, once, under its call id and in its turn; `options` as they were for the call,
   * where it had some of its own. Never throws.
   */
  // eslint-disable-next-line max-params -- the order is the one of the executor's
  resume(
    callId: string,
    state: unknown,
    answers: SuspensionAnswers = {},
    options: ExecuteToolOptions = {},
  ): Promise<ToolResult | SuspendedCall> {
    return this.executor.resume(callId, state, answers, this.#toOptions(options));
  }

  /** Says what would become of a call, as far as a person's answer; no event, no effect. */
  authorize(name: string, args: unknown, options: ExecuteToolOptions = {}): Promise<Authorization> {
    return this.executor.authorize(name, args, this.#toOptions(options));
  }

  /** Gives the whole of a result that was shortened for a model, to this conversation unless a reader is named; undefined once it gave way to others. */
  readFullResult(reference: string, reader?: ResultReader): Promise<unknown> {
    return this.executor.readFullResult(reference, reader ?? { sessionId: this.sessionId });
  }

  /**
   * The files this conversation read and wrote, sorted by path, as far as its tools say so.
   * @throws AiwError `session_closed` once the conversation has ended
   */
  async files(): Promise<FileUse[]> {
    return (await openWorkLog(this.#session)).files.list();
  }

  /**
   * The changes that can be taken back or made again, by turn, as far as tools recorded how.
   * @throws AiwError `session_closed` once the conversation has ended
   */
  async changes(): Promise<ChangeList> {
    return (await openWorkLog(this.#session)).changes.list();
  }

  /**
   * Takes the changes of the newest turn that has any back, newest first; stops at one that refuses and says why.
   * @throws AiwError `session_closed` once the conversation has ended
   */
  undo(options: RevertOptions = {}): Promise<RevertOutcome> {
    return this.#revert("undo", options);
  }

  /**
   * Makes the changes again that were taken back last, in their first order; stops at one that refuses and says why.
   * @throws AiwError `session_closed` once the conversation has ended
   */
  redo(options: RevertOptions = {}): Promise<RevertOutcome> {
    return this.#revert("redo", options);
  }

  /** Begins the next turn. */
  clearCurrentTurn(): void {
    this.#turn += 1;
  }

  /** Ends the conversation's calls and state, and goes on without them in the next turn. */
  async clearState(): Promise<void> {
    if (this.#closing !== undefined) return this.#closing;
    const ended = this.#session;
    this.#session = new SessionStore(ended.id);
    this.clearCurrentTurn();
    await this.#end(ended);
  }

  /** Ends the conversation: its calls, its state, then what it owns; `await using` does the same. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    try {
      await this.#end(this.#session);
    } finally {
      for (const owned of this.#owned) await owned[Symbol.asyncDispose]();
      if (this.#ownActivity) this.activity.close();
    }
  }

  /** Calls first: state must not be taken from under them. */
  async #end(session: SessionStore): Promise<void> {
    await this.executor.abortSession(session);
    await session[Symbol.asyncDispose]();
  }

  async #revert(way: "undo" | "redo", { signal }: RevertOptions): Promise<RevertOutcome> {
    const session = this.#session;
    const { changes } = await openWorkLog(session);
    const memory = memoryOf(session);
    memory.markChange();
    const outcome = await changes[way]({
      signal: signal === undefined ? session.signal : AbortSignal.any([session.signal, signal]),
    });
    memory.markChange();
    return outcome;
  }

  #toOptions(options: ExecuteToolOptions): ExecuteOptions {
    // Callers without types pass undefined where they mean nothing: it must not widen what the conversation may touch.
    const principal = options?.principal ?? this.#options.principal;
    const workspace = options?.workspace ?? this.#options.workspace;
    return {
      ...options,
      ...(principal !== undefined && { principal }),
      ...(workspace !== undefined && { workspace }),
      // A call may have a principal of its own: what that one may see is judged with the call.
      ...(this.#ground !== this.registry && { catalog: this.#ground }),
      ...(this.#closing !== undefined && {
        signal: AbortSignal.abort(new ToolError("cancelled", "The conversation has ended.")),
      }),
      session: this.#session,
      sessionId: this.#session.id,
      turn: this.#turn,
      activity: this.activity,
    };
  }
}

function isToolList(tools: UnifiedToolExecutor | readonly Tool[]): tools is readonly Tool[] {
  return Array.isArray(tools);
}

function createExecutor(tools: readonly Tool[]): UnifiedToolExecutor {
  const registry = new ToolRegistry();
  for (const tool of tools) registry.register(tool);
  return new UnifiedToolExecutor(registry);
}
