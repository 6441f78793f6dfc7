import type { ToolApprovalStatus } from "ai";
import type { CallTarget } from "./execute-call.ts";
import { toGivenInput } from "./given-input.ts";

/** Decides whether the AI SDK asks a person about a call. */
export type ToolApproval = (input: unknown) => Promise<ToolApprovalStatus>;

/**
 * Lets the AI SDK ask about calls that need a person, and about no others: broken and denied calls go on to the
 * executor, so that nobody judges what cannot run and every refusal is on record. Asked again after the answer.
 */
export function createToolApproval({ tools, name, normalizeInput }: CallTarget): ToolApproval {
  return async (given) => {
    const { input, options } = toGivenInput(given, normalizeInput);
    const { decision, reason } = await tools.authorize(name, input, options);
    return decision === "ask" ? { type: "user-approval", reason } : undefined;
  };
}
