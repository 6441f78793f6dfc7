import { done, failedFinding, failureNotes, fenced } from "../goal.ts";
import type { GoalContext, Move } from "../goal.ts";
import type { IntentOf } from "../intent.ts";
import { clip, isRecord } from "../json.ts";
import { matchTool } from "../match-tool.ts";
import type { CallOutcome } from "../read-results.ts";

/** Hands a wish no rule knows to the offered tool whose own words fit it best. */
export function pursueTool(intent: IntentOf<"use_tool">, context: GoalContext): Move {
  const heading = `"${clip(intent.clause.text, 120)}"`;
  const last = context.outcomes.at(-1);
  if (last?.status === "ok") {
    const answer = answerOf(last);
    return done({
      heading,
      status: "done",
      summary: `\`${last.toolName}\` answered: ${answer.includes("\n") || answer.length > 200 ? clip(answer.replaceAll(/\s+/gu, " "), 160) : answer}`,
      details: answer.includes("\n") || answer.length > 200 ? [fenced(clip(answer, 3_000))] : [],
      notes: failureNotes(context.outcomes),
    });
  }
  if (last !== undefined) return done(failedFinding(heading, context.outcomes));
  const match = matchTool(intent, context.tools);
  if (match === undefined) {
    return done({
      heading,
      status: "impossible",
      summary: "I do not understand this, and no offered tool's words fit it.",
      details: [],
      notes: [],
    });
  }
  if (match.kind === "incomplete") {
    return done({
      heading,
      status: "impossible",
      summary: `\`${match.tool.name}\` would fit, but the request does not say: ${match.missing.join(", ")}.`,
      details: [],
      notes: [],
    });
  }
  return {
    kind: "calls",
    calls: [
      {
        toolName: match.tool.name,
        input: match.input,
        why: `\`${match.tool.name}\` fits "${clip(intent.clause.text, 80)}"`,
      },
    ],
  };
}

function answerOf({ value }: CallOutcome): string {
  const { success: _success, error: _error, ...fields } = isRecord(value) ? value : { value };
  const entries = Object.entries(fields);
  const [only] = entries;
  const inner: unknown = entries.length === 1 && only !== undefined ? only[1] : fields;
  return typeof inner === "string" ? inner : (JSON.stringify(inner) ?? "nothing");
}
