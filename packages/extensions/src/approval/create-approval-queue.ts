import { AiwError, assertKnownOptions } from "@aiw/core";
import { toApprovalAnswer, type ApprovalAnswer, type ApprovalRequest, type Approver } from "@aiw/executor";
import type { AnswerReceipt, ApprovalEnd, ApprovalQueueEvent, PendingApproval } from "./pending-approval.ts";

/** How a queue is made. */
export interface ApprovalQueueOptions {
  /** Questions that wait at a time; what comes beyond is refused, and may be asked again. 100 unless named. */
  readonly capacity?: number;
}

/** Questions that wait until a web page, another process or anybody else answers them. */
export interface ApprovalQueue {
  /** Puts questions into the queue; for `approver` of an executor, a call, or the approval extension. */
  readonly approver: Approver;
  /** Those that wait, in the order they came. */
  pending(): readonly PendingApproval[];
  get(id: string): PendingApproval | undefined;
  /** Answers one; the answer may come from anywhere, and is checked. */
  answer(id: string, answer: ApprovalAnswer): AnswerReceipt;
  /** Tells what happens from now on; returns the function that ends it. One that throws harms nobody. */
  subscribe(listener: (event: ApprovalQueueEvent) => void): () => void;
  /** Refuses what waits and what comes later; those calls may be asked about again elsewhere. */
  close(): void;
}

const DEFAULT_CAPACITY = 100;

/** Ends that are remembered, so that a late answer hears why it does not count. */
const MAX_ENDS = 1000;

const MESSAGES: Readonly<Record<Exclude<AnswerReceipt, { readonly accepted: true }>["why"], string>> = {
  unknown: "No question has this id, or it ended long ago.",
  answered: "The question was answered before; the first answer counts.",
  ended: "The call no longer waits: it was cancelled, or the time for an answer passed.",
  invalid:
    'The answer must be { "decision": "allow", "input"?, "remember"?, "answeredBy"? } or { "decision": "deny", "reason"?, "answeredBy"? } and have no other key; "input" replaces the arguments.',
};

/**
 * Makes a queue of questions.
 * @throws AiwError `config_invalid` for a capacity that is none, and an option nobody knows.
 */
export function createApprovalQueue(options: ApprovalQueueOptions = {}): ApprovalQueue {
  assertKnownOptions("createApprovalQueue", options, ["capacity"]);
  const { capacity = DEFAULT_CAPACITY } = options;
  if (!Number.isSafeInteger(capacity) || capacity < 1)
    throw new AiwError("config_invalid", "The capacity of an approval queue must be a whole number from 1.", {
      fix: "Write it like createApprovalQueue({ capacity: 100 }).",
    });
  const queue = new Questions(capacity);
  return {
    approver: (request, { signal }) => queue.ask(request, signal),
    pending: () => queue.pending(),
    get: (id) => queue.get(id),
    answer: (id, answer) => queue.answer(id, answer),
    subscribe: (listener) => queue.subscribe(listener),
    close: () => queue.close(),
  };
}

interface Waiting {
  readonly approval: PendingApproval;
  settle(answer: ApprovalAnswer): void;
}

class Questions {
  readonly #capacity: number;
  readonly #waiting = new Map<string, Waiting>();
  readonly #ends = new Map<string, ApprovalEnd>();
  readonly #listeners = new Set<(event: ApprovalQueueEvent) => void>();
  #closed = false;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  async ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    if (this.#closed) return toNobody("Nobody answers questions any more.");
    if (signal.aborted) return toNobody("The call ended before it was approved.");
    if (this.#waiting.size >= this.#capacity)
      return toNobody(`${this.#capacity} questions wait already; nobody was asked.`);
    // What leaves the queue is a copy: whoever shows it must not change what another one is shown.
    const kept = freezeDeep(structuredClone(request));
    const approval = Object.freeze({ id: crypto.randomUUID(), askedAt: Date.now(), request: kept });
    const { promise, resolve } = Promise.withResolvers<ApprovalAnswer>();
    const onAbort = (): void => {
      this.#end(approval, "ended");
      resolve(toNobody("The call no longer waits."));
    };
    signal.addEventListener("abort", onAbort, { once: true });
    this.#waiting.set(approval.id, {
      approval,
      settle: (answer) => {
        signal.removeEventListener("abort", onAbort);
        resolve(answer);
      },
    });
    this.#tell({ type: "approval_pending", approval });
    return promise;
  }

  pending(): readonly PendingApproval[] {
    return [...this.#waiting.values()].map(({ approval }) => approval);
  }

  get(id: string): PendingApproval | undefined {
    return this.#waiting.get(id)?.approval;
  }

  answer(id: string, given: unknown): AnswerReceipt {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return refuse(id, this.#ends.get(id) ?? "unknown");
    const answer = readAnswer(given);
    if (answer === undefined) return refuse(id, "invalid");
    this.#end(waiting.approval, "answered", answer.decision);
    waiting.settle(answer);
    return { accepted: true, id };
  }

  subscribe(listener: (event: ApprovalQueueEvent) => void): () => void {
    // One function may listen twice, and each of them leaves for itself.
    const own = (event: ApprovalQueueEvent): void => listener(event);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  close(): void {
    this.#closed = true;
    for (const { approval, settle } of this.#waiting.values()) {
      this.#end(approval, "ended");
      settle(toNobody("Nobody answers questions any more."));
    }
    this.#listeners.clear();
  }

  #end({ id, request }: PendingApproval, end: ApprovalEnd, decision?: "allow" | "deny"): void {
    if (!this.#waiting.delete(id)) return;
    const [oldest] = this.#ends.keys();
    if (this.#ends.size >= MAX_ENDS && oldest !== undefined) this.#ends.delete(oldest);
    this.#ends.set(id, end);
    const { callId } = request;
    this.#tell({ type: "approval_closed", id, callId, end, ...(decision !== undefined && { decision }) });
  }

  #tell(event: ApprovalQueueEvent): void {
    for (const listener of this.#listeners) {
      try {
        const returned: unknown = listener(event);
        // A rejection nobody handles would end the process.
        Promise.resolve(returned).catch(() => undefined);
      } catch {
        // Whoever watches decides nothing of the question.
      }
    }
  }
}

/** What comes from a page may be anything; a getter that throws is no answer either. */
function readAnswer(given: unknown): ApprovalAnswer | undefined {
  try {
    return toApprovalAnswer(structuredClone(given));
  } catch {
    return undefined;
  }
}

function refuse(id: string, why: keyof typeof MESSAGES): AnswerReceipt {
  return { accepted: false, id, why, message: MESSAGES[why] };
}

function toNobody(reason: string): ApprovalAnswer {
  return { decision: "deny", reason, unasked: true };
}

function freezeDeep<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const member of Object.values(value)) freezeDeep(member);
  return Object.freeze(value);
}
