import { isInputAnswer } from "../call/answerer.ts";
import { toApprovalAnswer } from "../call/approver.ts";
import type { Resumption, SuspensionAnswers } from "../call/suspension.ts";
import type { SuspendedState } from "./suspended-state.ts";

/** Joins the answers from before with those given now; what answers no open question counts for nothing, and nonsense is no yes. */
export function toResumption(state: SuspendedState, answers: SuspensionAnswers): Resumption {
  const { startedAt, workedMs, definitionHash, pending } = state;
  const inputs = new Map(state.inputs);
  let { approval } = state;
  for (const { kind, key, asked = "" } of pending) {
    const given = readAnswer(answers, key);
    if (given === undefined) continue;
    if (kind === "input") inputs.set(key, isInputAnswer(given) ? structuredClone(given) : { action: "cancel" });
    else {
      const answer = toApprovalAnswer(given) ?? {
        decision: "deny",
        reason: "The answer is none that counts.",
        unasked: true,
      };
      approval = { answer, asked, waitedMs: Math.max(0, Date.now() - state.suspendedAt), isNew: true };
    }
  }
  return { startedAt, workedMs, definitionHash, approval, inputs };
}

function readAnswer(answers: unknown, key: string): unknown {
  const isGiven = typeof answers === "object" && answers !== null && Object.hasOwn(answers, key);
  return isGiven ? (answers as { readonly [key: string]: unknown })[key] : undefined;
}
