import type { ApprovalAnswer } from "@aiw/executor";
import type { ApprovalQueue } from "./create-approval-queue.ts";
import type { AnswerReceipt, ApprovalQueueEvent, PendingApproval } from "./pending-approval.ts";

/** What is sent to whoever answers: all that waits at first and when asked for, what happens later, and what became of answers. */
export type ApprovalNotice =
  | { readonly type: "approval_list"; readonly approvals: readonly PendingApproval[] }
  | ApprovalQueueEvent
  | { readonly type: "approval_receipt"; readonly receipt: AnswerReceipt };

/** What whoever answers sends back. */
export type ApprovalMessage =
  | { readonly type: "approval_answer"; readonly id: string; readonly answer: ApprovalAnswer }
  | { readonly type: "approval_list" };

/** One end of a line to somebody who answers. */
export interface ApprovalConnection {
  /** Takes a message as it came over the line; what is none is passed over. */
  receive(message: unknown): void;
  /** Ends it; what waits goes on waiting for others. */
  close(): void;
}

/** Characters of an id that are worth looking up. */
const MAX_ID_LENGTH = 100;

/**
 * Joins a queue to a line of the host's own: IPC, a socket, standard input. Messages are plain JSON values; who may use the line, and
 * so may answer, is the host's to decide.
 */
export function connectApprovals(queue: ApprovalQueue, send: (notice: ApprovalNotice) => void): ApprovalConnection {
  const tell = (notice: ApprovalNotice): void => {
    try {
      const returned: unknown = send(notice);
      // A rejection nobody handles would end the process.
      Promise.resolve(returned).catch(() => undefined);
    } catch {
      // A line that is gone answers nothing; questions wait for others.
    }
  };
  const list = (): void => tell({ type: "approval_list", approvals: queue.pending() });
  const unsubscribe = queue.subscribe(tell);
  let closed = false;
  list();
  return {
    receive: (message) => {
      if (closed || typeof message !== "object" || message === null || !("type" in message)) return;
      if (message.type === "approval_list") list();
      else if (message.type === "approval_answer") tell({ type: "approval_receipt", receipt: take(queue, message) });
    },
    close: () => {
      closed = true;
      unsubscribe();
    },
  };
}

function take(queue: ApprovalQueue, message: object): AnswerReceipt {
  const id = "id" in message && typeof message.id === "string" ? message.id.slice(0, MAX_ID_LENGTH) : "";
  const answer: unknown = "answer" in message ? message.answer : undefined;
  // The queue checks it.
  return queue.answer(id, answer as ApprovalAnswer);
}
