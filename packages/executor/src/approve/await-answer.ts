import { AbortNode } from "../call/abort-tree.ts";
import { toApprovalAnswer, type ApprovalAnswer, type ApprovalRequest, type Approver } from "../call/approver.ts";
import type { RunningCall } from "../call/running-call.ts";
import { approvalExpiredError } from "./approval-expired.ts";

/** What became of a question. */
export type Answered = ApprovalAnswer | "expired";

/** What whoever wrote the approver has to know. */
const ANSWERS =
  'Give { decision: "allow", input?, remember?, answeredBy? } or { decision: "deny", reason?, answeredBy? } and no other key; `input` replaces the arguments.';

/** Waits for the answer, no longer than it may take; an approver that throws or answers nonsense has said no (SEC-APR-5). */
export async function awaitAnswer(
  approver: Approver,
  request: ApprovalRequest,
  { call, expiresMs }: { readonly call: RunningCall; readonly expiresMs: number },
): Promise<Answered> {
  // Whoever was told of the question may have ended the call.
  if (call.ended || call.abort.aborted) return toNobody("The call ended before it was approved.");
  const waiting = new AbortNode(call.abort);
  const late = Promise.withResolvers<Answered>();
  waiting.subscribe(() => late.resolve(toNobody("The call ended before it was approved.")));
  const timer = setTimeout(() => {
    late.resolve("expired");
    waiting.abort(approvalExpiredError(expiresMs));
  }, expiresMs);
  try {
    return await Promise.race([answerOf(approver, request, { call, waiting }), late.promise]);
  } catch (error) {
    // An approver that stops waiting because the call has ended did what it should.
    if (!call.aborted) call.log?.error("An approver failed.", { callId: call.callId, error });
    return toNobody("The approver failed, which counts as a no.");
  } finally {
    clearTimeout(timer);
    waiting.end();
  }
}

async function answerOf(
  approver: Approver,
  request: ApprovalRequest,
  { call, waiting }: { readonly call: RunningCall; readonly waiting: AbortNode },
): Promise<ApprovalAnswer> {
  const answer = toApprovalAnswer(await approver(request, { signal: waiting.signal }));
  if (answer !== undefined) return answer;
  call.log?.error("An approver gave no answer that counts.", { callId: call.callId, fix: ANSWERS });
  return toNobody("The approver gave no answer that counts.");
}

function toNobody(reason: string): ApprovalAnswer {
  return { decision: "deny", reason, unasked: true };
}
