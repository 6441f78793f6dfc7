import { callsOr, done, failedFinding, failureNotes, noToolFinding, planNewCall } from "../goal.ts";
import type { GoalContext, Move } from "../goal.ts";
import type { IntentOf } from "../intent.ts";
import { ownField, stringField } from "../json.ts";

/** Takes back the last change that this request made, or makes it again; never a change of somebody else's. */
export function pursueGoBack({ direction }: IntentOf<"go_back">, context: GoalContext): Move {
  const isUndo = direction === "undo";
  const heading = isUndo ? "Take the change back" : "Make the change again";
  const last = context.outcomes.at(-1);
  if (last !== undefined && last.status !== "ok") return done(failedFinding(heading, context.outcomes));
  if (last !== undefined) {
    const restored = ownField(last.value, "restored");
    const paths = (Array.isArray(restored) ? restored : []).flatMap((one: unknown) => stringField(one, "path") ?? []);
    const what = paths.length === 0 ? "the last change" : paths.join(", ");
    return done({
      heading,
      status: "done",
      summary: `${isUndo ? "Took back" : "Made again"}: ${what}.`,
      details: [],
      notes: failureNotes(context.outcomes),
    });
  }
  const changed = lastChange(context);
  if (changed === undefined) {
    const summary = "This request changed no file, so there is nothing to go back to.";
    return done({ heading, status: "impossible", summary, details: [], notes: [] });
  }
  const call = planNewCall(context, isUndo ? "undo_change" : "redo_change", {
    changeId: changed,
    why: isUndo ? "take the last change back" : "make the last change again",
  });
  return callsOr([call], noToolFinding(heading, "take changes back"));
}

/** The id of the newest change that a call of this request made. */
function lastChange({ allOutcomes }: GoalContext): string | undefined {
  return allOutcomes
    .flatMap(({ status, value }) => (status === "ok" ? (stringField(value, "undo_id") ?? []) : []))
    .at(-1);
}
