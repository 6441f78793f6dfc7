import type { Decision, Verdict } from "../call/verdict.ts";

const STRENGTH: Readonly<Record<Decision, number>> = { allow: 0, ask: 1, deny: 2 };

/** Picks the verdict that counts: deny beats ask beats allow, and among equals the first. */
export function combineDecisions<Given extends Pick<Verdict, "decision">>(
  verdicts: Iterable<Given>,
): Given | undefined {
  let strongest: Given | undefined;
  for (const verdict of verdicts) {
    if (strongest === undefined || STRENGTH[verdict.decision] > STRENGTH[strongest.decision]) strongest = verdict;
  }
  return strongest;
}
