import type { ApprovalRequest } from "@aiw/executor";

/** A question that waits for somebody. Plain JSON: it may be shown on a page or sent to another process. */
export interface PendingApproval {
  /** Nobody can guess it; whoever has it can answer. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
  readonly request: ApprovalRequest;
}

/** How a question stopped waiting: somebody answered, or its call no longer waits. */
export type ApprovalEnd = "answered" | "ended";

/** What happens in a queue. */
export type ApprovalQueueEvent =
  | { readonly type: "approval_pending"; readonly approval: PendingApproval }
  | {
      readonly type: "approval_closed";
      readonly id: string;
      readonly callId: string;
      readonly end: ApprovalEnd;
      readonly decision?: "allow" | "deny";
    };

/** What became of an answer; only the first that can be read counts. */
export type AnswerReceipt =
  | { readonly accepted: true; readonly id: string }
  | {
      readonly accepted: false;
      readonly id: string;
      /** Nobody asked under the id, or long ago; it was answered before; its call ended; or what was said is no answer. */
      readonly why: "unknown" | "answered" | "ended" | "invalid";
      /** For a person. */
      readonly message: string;
    };
