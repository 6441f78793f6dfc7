import type { ChildProcess } from "node:child_process";
import type { Duplex } from "node:stream";
import { ToolError, type ToolLog } from "@aiw/core";
import { fromWireFailure } from "../wire/failure.ts";
import { LineChannel } from "../wire/line-channel.ts";
import type { HostMessage, ProcessMessage } from "../wire/messages.ts";
import { explainEnd, type ProcessEnd } from "./explain-end.ts";
import { KeptTail } from "./kept-tail.ts";
import { readMessage } from "./read-message.ts";

/** A process that was started for a package. */
export interface StartedProcess {
  readonly child: ChildProcess;
  readonly sandboxed: boolean;
  readonly ended: Promise<ProcessEnd>;
  end(graceMs?: number): Promise<unknown>;
}

/** What a process tells of work before it is done. */
export type WorkEvent = Extract<ProcessMessage, { readonly t: "output" | "progress" | "log" | "ask" }>;
export type WorkOutcome = Extract<ProcessMessage, { readonly t: "opened" | "parsed" | "done" | "failed" }>;

/** How work ended in its process; a failure is thrown. */
type WorkDone = Exclude<WorkOutcome, { readonly t: "failed" }>;

/** Work that is under way. It is in the published types, so nothing here needs a newer `lib` than a consumer has. */
interface Work {
  readonly promise: Promise<WorkDone>;
  readonly resolve: (outcome: WorkDone) => void;
  readonly reject: (reason: unknown) => void;
  readonly onEvent?: ((event: WorkEvent) => void) | undefined;
}

/** A message without the number of its work. */
export type Asked = HostMessage extends infer Message
  ? Message extends { id: number }
    ? Omit<Message, "id">
    : never
  : never;

/** How a process is kept. */
export interface IsolatedProcessOptions {
  readonly packageKey: string;
  readonly log?: ToolLog | undefined;
  /** Milliseconds without work or state after which it ends. */
  readonly idleMs: number;
  /** Milliseconds it has to start, and for work that no call's own limit ends: loading code, schemas. */
  readonly limitMs: number;
}

const CHANNEL = 3;

/** Milliseconds between the last word of a process and its end. */
const HANG_UP_MS = 1000;

/** Messages that fit nothing before the process counts as hostile. */
const MAX_NONSENSE = 1000;

/** The preview that came with a failure. */
export const previewOfFailure: WeakMap<ToolError, readonly string[]> = new WeakMap<ToolError, readonly string[]>();
/** Which question's answer a failure was. */
export const askOfFailure: WeakMap<ToolError, number> = new WeakMap<ToolError, number>();

/** The process of one package: work is asked of it by number, and all of it fails when the process ends. */
export class IsolatedProcess {
  readonly sandboxed: boolean;
  /** Conversations that have state in the process. */
  readonly sessions: Set<number> = new Set();
  readonly #options: IsolatedProcessOptions;
  readonly #started: StartedProcess;
  readonly #stream: Duplex;
  readonly #channel: LineChannel;
  /** Keep this process alive as the other one does. */
  readonly #handles: readonly Handle[];
  readonly #printed: KeptTail;
  readonly #work = new Map<number, Work>();
  readonly #ready = Promise.withResolvers<void>();
  #last = 0;
  #nonsense = 0;
  #idle: NodeJS.Timeout | undefined;
  #reason: string | undefined;
  #ended = false;
  #isRetryable = true;

  constructor(started: StartedProcess, options: IsolatedProcessOptions) {
    this.#options = options;
    this.#started = started;
    this.sandboxed = started.sandboxed;
    const { child } = started;
    this.#handles = [child, ...child.stdio.flatMap((stream) => (stream === null ? [] : [stream as Handle]))];
    this.#stream = child.stdio[CHANNEL] as Duplex;
    this.#printed = new KeptTail(child.stderr);
    this.#channel = new LineChannel(this.#stream, {
      onMessage: (message) => this.#take(message),
      onNonsense: (reason) => this.kill(`it sent ${reason}`),
      onClose: () => this.#onHangUp(),
    });
    this.#ready.promise.catch(() => undefined);
    started.ended.then(
      (end) => this.#onEnd(end),
      (cause: unknown) => this.#onFault(cause),
    );
    const late = setTimeout(() => this.kill("it did not start in time"), options.limitMs);
    void this.#ready.promise
      .finally(() => clearTimeout(late))
      .then(
        () => this.rest(),
        () => undefined,
      );
  }

  get ended(): boolean {
    return this.#ended || this.#reason !== undefined;
  }

  /** Settles when it can be asked. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** Asks for work; gives its number and what becomes of it. */
  ask(asked: Asked, onEvent?: (event: WorkEvent) => void): { readonly id: number; readonly outcome: Work["promise"] } {
    const id = (this.#last += 1);
    const work: Work = { ...Promise.withResolvers(), onEvent };
    this.#work.set(id, work);
    this.#rouse();
    const isSent = !this.ended && this.#channel.send({ ...asked, id });
    if (!isSent)
      this.#settle(id, () =>
        work.reject(
          this.ended ? this.#toError() : new ToolError("too_large", "The call does not fit into one message."),
        ),
      );
    return { id, outcome: work.promise };
  }

  /** The same for work that must be done in the time of the process, which ends with it otherwise. */
  async askWithin(asked: Asked, what: string): Promise<Awaited<Work["promise"]>> {
    const timer = setTimeout(() => this.kill(`${what} took too long`), this.#options.limitMs);
    try {
      return await this.ask(asked).outcome;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Tells of work that was asked for: its abort, an answer. */
  tell(message: HostMessage): void {
    this.#channel.send(message);
  }

  /** Ends it at once, with all of its work. */
  kill(reason: string): void {
    this.#reason ??= reason;
    void this.#started.end().catch(() => undefined);
  }

  /** Ends it and waits for that. */
  async close(): Promise<void> {
    this.#reason ??= "its host closed it";
    // Waiting for its end must not end the host.
    if (!this.#ended) this.#rouse();
    await this.#started.end().catch(() => undefined);
  }

  /** True while something of a conversation or a call is in it. */
  get isBusy(): boolean {
    return this.#work.size > 0 || this.sessions.size > 0;
  }

  #take(given: unknown): void {
    const message = readMessage(given);
    const work = message === undefined || message.t === "ready" ? undefined : this.#work.get(message.id);
    if (message?.t === "ready") return this.#ready.resolve();
    if (message === undefined || work === undefined) return this.#countNonsense();
    if (isEvent(message)) return work.onEvent?.(message);
    this.#settle(message.id, () => {
      if (message.t === "failed") work.reject(toError(message));
      else work.resolve(message);
    });
  }

  /** What comes for work that has ended is late; what never fits is hostile. */
  #countNonsense(): void {
    this.#nonsense += 1;
    if (this.#nonsense > MAX_NONSENSE) this.kill("it sent too much that fits nothing");
  }

  #settle(id: number, settle: () => void): void {
    this.#work.delete(id);
    settle();
    this.rest();
  }

  /** Lets it end by itself when nothing of anybody is in it. */
  rest(): void {
    if (!this.isBusy && !this.ended) this.#rest();
  }

  #rest(): void {
    for (const handle of this.#handles) handle.unref?.();
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.kill("nobody used it"), this.#options.idleMs).unref();
  }

  #rouse(): void {
    clearTimeout(this.#idle);
    for (const handle of this.#handles) handle.ref?.();
  }

  /** It is about to end, and says how; one that only stopped talking is ended. */
  #onHangUp(): void {
    const timer = setTimeout(() => this.kill("it stopped talking to its host"), HANG_UP_MS);
    this.#started.ended.finally(() => clearTimeout(timer)).catch(() => undefined);
  }

  #onEnd(end: ProcessEnd): void {
    const printed = this.#printed.text;
    const isOurs = this.#reason !== undefined;
    // What ended it, if it was not alone, is not known; alone, it would do so again.
    this.#isRetryable = isOurs || this.#work.size !== 1;
    this.#reason ??= explainEnd(end, printed);
    this.#close();
    const { packageKey, log } = this.#options;
    const facts = { package: packageKey, code: end.code, signal: end.signal, reason: this.#reason, printed };
    if (isOurs) log?.debug("The process of an isolated package ended.", facts);
    else log?.error("The process of an isolated package ended by itself.", facts);
  }

  #onFault(cause: unknown): void {
    this.#reason ??= "it could not be started";
    this.#options.log?.error("The process of an isolated package could not be started.", {
      package: this.#options.packageKey,
      error: cause,
    });
    this.#close();
  }

  #close(): void {
    this.#ended = true;
    clearTimeout(this.#idle);
    this.#stream.destroy();
    const error = this.#toError();
    this.#ready.reject(error);
    for (const work of this.#work.values()) work.reject(error);
    this.#work.clear();
  }

  #toError(): ToolError {
    const { packageKey } = this.#options;
    const message = `The process of ${packageKey} ended while the call ran: ${this.#reason ?? "for no known reason"}.`;
    return new ToolError("isolated_process_ended", message, {
      details: { package: packageKey },
      retryable: this.#isRetryable,
    });
  }
}

function isEvent(message: WorkEvent | WorkOutcome): message is WorkEvent {
  return ["output", "progress", "log", "ask"].includes(message.t);
}

function toError({ failure, preview }: Extract<ProcessMessage, { readonly t: "failed" }>): ToolError {
  const error = fromWireFailure(failure);
  if (preview !== undefined) previewOfFailure.set(error, preview);
  const ask: unknown = typeof failure === "object" && failure !== null ? failure.ask : undefined;
  if (typeof ask === "number") askOfFailure.set(error, ask);
  return error;
}

interface Handle {
  ref?(): void;
  unref?(): void;
}
