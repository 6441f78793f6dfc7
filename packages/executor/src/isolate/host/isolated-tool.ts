import {
  CONTRACT_VERSION,
  sessionKey,
  TOOL_BRAND,
  ToolError,
  type Assessment,
  type Parsed,
  type Tool,
  type ToolContext,
  type ToolEntry,
  type ToolResult,
  type ToolSpec,
  type WorkspaceRoots,
} from "@aiw/core";
import { decodeValue } from "../wire/decode-value.ts";
import { fromWireFailure, toWireFailure } from "../wire/failure.ts";
import type { CallFacts, ToolParts, WireIssue } from "../wire/messages.ts";
import { askOfFailure, previewOfFailure, type IsolatedProcess, type WorkOutcome } from "./isolated-process.ts";
import { ParsedElsewhere } from "./parsed-elsewhere.ts";
import { ServedWork } from "./serve-work.ts";

/** What a tool elsewhere needs of its host. */
export interface IsolatedToolHost {
  /** The process for a call with these folders, started if there is none; those of the host where none are named. */
  processFor(entry: ToolEntry, folders?: WorkspaceRoots): Promise<IsolatedProcess>;
  /** Milliseconds an aborted call has before its process is ended. */
  readonly killMs: number;
}

/** What the process gave, not yet judged. */
interface RemoteOutput {
  readonly value: unknown;
  readonly issues?: readonly WireIssue[];
}

/** Previews that wait to be asked for; more wait only where nobody asks. */
const MAX_PREVIEWS = 1000;

let lastTool = 0;
let lastToken = 0;
let lastSession = 0;

/** A tool whose code runs in the process of its package; its definition alone is known here. */
export class IsolatedTool {
  readonly #entry: ToolEntry & { readonly spec: ToolSpec };
  readonly #host: IsolatedToolHost;
  readonly #number = (lastTool += 1);
  /** Processes in which the tool was opened. */
  readonly #opened = new WeakMap<IsolatedProcess, Promise<Extract<WorkOutcome, { readonly t: "opened" }>>>();
  readonly #previews = new Map<string, readonly string[]>();

  constructor(entry: ToolEntry & { readonly spec: ToolSpec }, host: IsolatedToolHost) {
    this.#entry = entry;
    this.#host = host;
  }

  /** The tool as its host calls it: nothing of its process begins before its first call. */
  toTool(): Tool {
    const { spec } = this.#entry;
    const load = async (): Promise<Tool> =>
      this.#toLoaded((await this.#open(await this.#host.processFor(this.#entry))).parts);
    return Object.freeze<Tool>({
      [TOOL_BRAND]: true,
      contractVersion: CONTRACT_VERSION,
      spec,
      load,
      execute: async (input, context) => (await load()).execute(input, context),
    });
  }

  #toLoaded(parts: ToolParts): Tool {
    return Object.freeze<Tool>({
      [TOOL_BRAND]: true,
      contractVersion: CONTRACT_VERSION,
      spec: this.#entry.spec,
      parseOptions: (value) => this.#parseOptions(value),
      ...(parts.parseInput && { parseInput: (value: unknown) => this.#parseInput(value) }),
      // What the author's schema made of it, or refused; without one the host checks against the definition.
      ...(parts.parseOutput && { parseOutput: (value: unknown) => toParsed(value as RemoteOutput) }),
      ...(parts.assess && { assess: (input: unknown, context: ToolContext<unknown>) => this.#assess(input, context) }),
      ...(parts.preview && { preview: (result: ToolResult) => this.#preview(result) }),
      execute: async (input, context) => {
        const output = await this.#run("execute", input, context);
        return parts.parseOutput ? output : output.value;
      },
    });
  }

  async #parseOptions(value: unknown): Promise<Parsed<unknown>> {
    const { issues } = await this.#open(await this.#host.processFor(this.#entry));
    return issues === undefined ? { value } : { issues };
  }

  async #parseInput(input: unknown): Promise<Parsed<ParsedElsewhere>> {
    const process = await this.#host.processFor(this.#entry);
    await this.#open(process);
    const token = (lastToken += 1);
    const parsed = await process.askWithin({ t: "parse", tool: this.#number, token, input }, "checking arguments");
    const issues = "issues" in parsed ? parsed.issues : undefined;
    return issues === undefined ? { value: new ParsedElsewhere(input, token) } : { issues };
  }

  async #assess(input: unknown, context: ToolContext<unknown>): Promise<Assessment> {
    const { value } = await this.#run("assess", input, context);
    // The host reads a verdict as it reads any tool's.
    const verdict = value as Assessment | undefined;
    return (
      verdict?.failure === undefined ? verdict : { ...verdict, failure: fromWireFailure(verdict.failure) }
    ) as Assessment;
  }

  async #run(kind: "assess" | "execute", given: unknown, context: ToolContext<unknown>): Promise<RemoteOutput> {
    const process = await this.#host.processFor(this.#entry, context.workspace);
    const { issues } = await this.#open(process);
    if (issues !== undefined) throw new ToolError("options_invalid", "The package's options are wrong.");
    context.signal.throwIfAborted();
    const work = new ServedWork(process, context, () => this.#openSession(process, context));
    const { input, token } = given instanceof ParsedElsewhere ? given : { input: given, token: 0 };
    const asked = process.ask({ t: kind, tool: this.#number, token, input, call: toFacts(context) }, (event) =>
      work.take(event),
    );
    work.id = asked.id;
    using _abort = this.#followAbort(process, asked.id, context.signal);
    try {
      const outcome = await asked.outcome;
      if (outcome.t !== "done")
        throw new ToolError("internal_error", "The process of the package answered something else.");
      if (outcome.preview !== undefined) this.#keepPreview(context.callId, outcome.preview);
      return { value: decodeValue(outcome.value), ...(outcome.issues && { issues: outcome.issues }) };
    } catch (error) {
      throw this.#toThrown(error, work, context.callId);
    }
  }

  #toThrown(error: unknown, work: ServedWork, callId: string): unknown {
    if (!(error instanceof ToolError)) return error;
    const preview = previewOfFailure.get(error);
    if (preview !== undefined) this.#keepPreview(callId, preview);
    return work.originalOf(askOfFailure.get(error)) ?? error;
  }

  /** A call that does not obey takes its process with it: its result can then say that nothing goes on. */
  #followAbort(process: IsolatedProcess, id: number, signal: AbortSignal): Disposable {
    let timer: NodeJS.Timeout | undefined;
    const abort = (): void => {
      process.tell({ t: "abort", id, reason: toWireFailure(signal.reason) });
      timer = setTimeout(() => process.kill("a call in it did not stop when it had to"), this.#host.killMs);
    };
    signal.addEventListener("abort", abort, { once: true });
    return {
      [Symbol.dispose]: () => {
        signal.removeEventListener("abort", abort);
        clearTimeout(timer);
      },
    };
  }

  #open(process: IsolatedProcess): Promise<Extract<WorkOutcome, { readonly t: "opened" }>> {
    const known = this.#opened.get(process);
    if (known !== undefined) return known;
    const opening = this.#openIn(process);
    this.#opened.set(process, opening);
    opening.catch(() => this.#opened.delete(process));
    return opening;
  }

  async #openIn(process: IsolatedProcess): Promise<Extract<WorkOutcome, { readonly t: "opened" }>> {
    const { resolveCode, spec, options } = this.#entry;
    if (resolveCode === undefined) throw new ToolError("isolation_unavailable", "The tool has no code of its own.");
    const code = await resolveCode();
    const outcome = await process.askWithin({ t: "open", tool: this.#number, code, spec, options }, "loading its code");
    if (outcome.t === "opened") return outcome;
    throw new ToolError("internal_error", "The process of the package answered something else.");
  }

  /** State of a conversation in the process is a value of the conversation: it ends with it, here and there. */
  async #openSession(process: IsolatedProcess, context: ToolContext<unknown>): Promise<number> {
    const key = sessionKey(`@aiw/executor/isolated/${processNumber(process)}`, {
      create: () => {
        const session = (lastSession += 1);
        process.sessions.add(session);
        return session;
      },
      dispose: async (session) => {
        process.sessions.delete(session);
        // State in a process that has ended, ended with it.
        if (!process.ended)
          await process
            .askWithin({ t: "end_session", session }, "closing the state of a conversation")
            .catch(() => undefined);
      },
    });
    return context.session.get(key);
  }

  #keepPreview(callId: string, lines: readonly string[]): void {
    this.#previews.set(callId, lines);
    const [oldest] = this.#previews.keys();
    if (this.#previews.size > MAX_PREVIEWS && oldest !== undefined) this.#previews.delete(oldest);
  }

  /** A failure that the host decided on has none of the tool's: the host makes its own then. */
  #preview({ call }: ToolResult): string[] {
    const lines = this.#previews.get(call.callId);
    this.#previews.delete(call.callId);
    if (lines === undefined) throw new ToolError("not_found", "The process gave no preview.");
    return [...lines];
  }
}

const numbers = new WeakMap<IsolatedProcess, number>();
let lastProcess = 0;

function processNumber(process: IsolatedProcess): number {
  const known = numbers.get(process) ?? (lastProcess += 1);
  numbers.set(process, known);
  return known;
}

function toParsed({ value, issues }: RemoteOutput): Parsed<unknown> {
  return issues === undefined ? { value } : { issues };
}

function toFacts(context: ToolContext<unknown>): CallFacts {
  const { callId, sessionId, turn, principal, idempotencyKey, workspace, maxResultCharacters, traceContext } = context;
  return {
    callId,
    sessionId,
    // The process forgets what it changed when it ends, and nobody else learns of it.
    workspace: { ...workspace, history: "memory" },
    ...(turn !== undefined && { turn }),
    ...(principal !== undefined && { principal }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(maxResultCharacters !== undefined && { maxResultCharacters }),
    ...(traceContext !== undefined && { traceContext }),
  };
}
