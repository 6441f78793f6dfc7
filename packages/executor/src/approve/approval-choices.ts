import type { ApprovalChoice, ApprovalScope, RememberWish } from "../call/approver.ts";
import type { ResolvedTerms } from "../call/approval-settings.ts";
import type { RunningCall } from "../call/running-call.ts";

const COVERS: Readonly<Record<ApprovalScope, string>> = {
  once: "This call alone.",
  turn: "Calls of this tool with exactly these arguments, until this turn ends.",
  session: "Calls of this tool with exactly these arguments, until this conversation ends.",
  rule: "Calls of this tool with the arguments you name exactly as they are here, until this conversation ends; the others may differ.",
};

/** Says how far a yes may reach here: without a conversation there is nothing to remember it, and without turns none ends. */
export function toChoices({ options }: RunningCall, { remember }: ResolvedTerms): readonly ApprovalChoice[] {
  const possible = options.session === undefined ? [] : remember;
  const lasting = possible.filter((scope) => scope !== "turn" || options.turn !== undefined);
  return (["once", ...lasting] as const).map((scope) => ({ scope, covers: COVERS[scope] }));
}

/** The wish, where it was among the choices; undefined for one that reaches further than anybody was shown. */
export function toOffered(
  wish: RememberWish | undefined,
  choices: readonly ApprovalChoice[],
): RememberWish | undefined {
  if (wish === undefined) return undefined;
  const scope = typeof wish === "object" ? "rule" : wish;
  return choices.some((choice) => choice.scope === scope) ? wish : undefined;
}
