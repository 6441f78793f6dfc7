import { capabilityOf, planCall } from "../capabilities.ts";
import { callsOr, done, failedFinding, failureNotes, fenced, noToolFinding, planNewCall } from "../goal.ts";
import type { Finding, GoalContext, Move } from "../goal.ts";
import type { IntentOf } from "../intent.ts";
import { clip, numberField, stringField } from "../json.ts";
import type { CallOutcome } from "../read-results.ts";

/** Replaces one text in a file and shows the difference; which of several places is meant is not guessed. */
export function pursueReplace(intent: IntentOf<"replace">, context: GoalContext): Move {
  const { path } = intent;
  const heading = `Change ${path}`;
  const last = context.outcomes.at(-1);
  const edits = [{ old_text: intent.oldText, new_text: intent.newText }];
  if (last === undefined) {
    const call = planNewCall(context, "edit_file", { path, edits, why: `change ${path} as asked` });
    return callsOr([call], noToolFinding(heading, "change a part of a file"));
  }
  const edited = capabilityOf(last.toolName, context.tools) === "edit_file";
  if (edited && last.status === "ok") return done(changedFinding(heading, last, context));
  const again = edited
    ? undefined
    : planCall("edit_file", { path, edits }, { tools: context.tools, why: `${path} was read: change it` });
  if (last.status === "ok" && again !== undefined && context.outcomes.length < 3)
    return { kind: "calls", calls: [again] };
  if (last.failure?.code === "unread_target") {
    const call = planNewCall(context, "read_file", { path, why: `${path} must be read before it is changed` });
    if (call !== undefined) return { kind: "calls", calls: [call] };
  }
  return done(failedFinding(heading, context.outcomes));
}

function changedFinding(heading: string, { value }: CallOutcome, context: GoalContext): Finding {
  const diff = stringField(value, "diff");
  const [added, removed] = [numberField(value, "additions"), numberField(value, "deletions")];
  return {
    heading,
    status: "done",
    summary: added === undefined || removed === undefined ? "Changed it." : `Changed it: +${added} -${removed} lines.`,
    details: diff === undefined ? [] : [fenced(clip(diff, 2_000), "diff")],
    notes: failureNotes(context.outcomes),
  };
}
