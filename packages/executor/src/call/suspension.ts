import { ToolError, type InputAnswer, type InputRequest, type Suspension } from "@aiw/core";
import type { ApprovalAnswer, ApprovalRequest } from "./approver.ts";

/** One question a suspended call waits for. */
export interface SuspendedRequest {
  /** What its answer is given under: `approval` for a person's approval, else the tool's own name for the question. */
  readonly key: string;
  readonly request: InputRequest;
  /** All that will run, where the question is whether it may. */
  readonly approval?: ApprovalRequest;
}

/** A call that waits for answers nobody can give right now; it is not a result. Plain JSON. */
export interface SuspendedCall extends Suspension {
  readonly requests: readonly SuspendedRequest[];
  /** Sealed: only `resume` can read it. The host keeps it. */
  readonly state: string;
  /** Milliseconds since the epoch after which the call cannot go on. */
  readonly expiresAt: number;
}

/** Answers by the keys of the requests; a question that is left out is asked again. */
export interface SuspensionAnswers {
  readonly [key: string]: ApprovalAnswer | InputAnswer;
}

/** How calls are suspended. */
export interface SuspensionOptions {
  /** 32 bytes that seal suspended calls, so that other processes can resume them; random, for this executor alone, unless named. */
  readonly sealKey?: Uint8Array;
  /** Milliseconds a call may stay suspended; 86,400,000, which is a day, unless named. */
  readonly expiresMs?: number;
  /**
   * Claims a suspended call for the one who goes on with it: true the first time, false ever after. Processes that share a key
   * share this too, or each could go on with the same call; kept in this process unless named.
   */
  claim?(nonce: string, expiresAt: number): boolean | Promise<boolean>;
}

/** A question as the call keeps it until it is suspended. */
export interface PendingQuestion extends SuspendedRequest {
  readonly kind: "approval" | "input";
  /** All that the approval is asked for, in one text. */
  readonly asked?: string;
}

/** A person's answer to whether a resumed call may run. */
export interface ResumedApproval {
  readonly answer: ApprovalAnswer;
  /** What it was asked for, in one text. */
  readonly asked: string;
  /** Milliseconds the question stood open. */
  readonly waitedMs: number;
  /** False once it has been told and remembered. */
  readonly isNew: boolean;
}

/** What a call that goes on knows from before. */
export interface Resumption {
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Milliseconds of work before. */
  readonly workedMs: number;
  readonly definitionHash: string | undefined;
  readonly approval: ResumedApproval | undefined;
  readonly inputs: ReadonlyMap<string, InputAnswer>;
}

/** What a call is that may be suspended. */
export interface Suspending {
  /** The questions it stopped at. */
  readonly pending: Map<string, PendingQuestion>;
  /** Absent for one that begins. */
  readonly resumption: Resumption | undefined;
}

/** How many causes of a failure are looked at. */
const MAX_CAUSES = 8;

/** What ends a call's work until its question is answered; a tool lets it pass. */
export function inputPendingError(question: string): ToolError {
  return new ToolError("input_pending", `The call waits for an answer: ${question}`, {
    suggestion: "Let this failure pass: the call begins again when the answer is there.",
  });
}

/** True for that failure, also where a tool has wrapped it. */
export function isInputPending(thrown: unknown): boolean {
  let error = thrown;
  for (let depth = 0; depth < MAX_CAUSES && typeof error === "object" && error !== null; depth += 1) {
    if (ToolError.is(error) && error.code === "input_pending") return true;
    error = "cause" in error ? error.cause : undefined;
  }
  return false;
}
