/** Hosts enter here for the ways people are asked. */
export { approval, configure, type ApprovalOptions } from "./approval/approval.ts";
export {
  connectApprovals,
  type ApprovalConnection,
  type ApprovalMessage,
  type ApprovalNotice,
} from "./approval/connect-approvals.ts";
export {
  createApprovalQueue,
  type ApprovalQueue,
  type ApprovalQueueOptions,
} from "./approval/create-approval-queue.ts";
export type { AnswerReceipt, ApprovalEnd, ApprovalQueueEvent, PendingApproval } from "./approval/pending-approval.ts";
export type {
  ApprovalAnswer,
  ApprovalChoice,
  ApprovalRequest,
  ApprovalScope,
  Approver,
  RememberWish,
} from "@aiw/executor";
export type { ApprovalConfig } from "@aiw/core";
