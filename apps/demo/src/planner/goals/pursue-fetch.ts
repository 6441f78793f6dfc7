import { callsOr, done, failedFinding, failureNotes, fenced, noToolFinding, oneLine, planNewCall } from "../goal.ts";
import type { Finding, GoalContext, Move } from "../goal.ts";
import type { IntentOf } from "../intent.ts";
import { clip, numberField, stringField } from "../json.ts";
import type { CallOutcome } from "../read-results.ts";
import { textIn } from "../result-content.ts";

/** Fetches a page once; a failed connection is tried a second time, a refused address never. */
export function pursueFetch({ url }: IntentOf<"fetch">, context: GoalContext): Move {
  const heading = `Fetch ${url}`;
  const last = context.outcomes.at(-1);
  if (last === undefined) {
    return callsOr(
      [planNewCall(context, "fetch_url", { url, why: `fetch ${url}` })],
      noToolFinding(heading, "fetch a page"),
    );
  }
  if (last.status === "ok") return done(pageFinding(heading, last, context));
  if (last.status === "failed" && context.outcomes.length === 1 && isBroken(last)) {
    const { toolName, input } = last;
    return { kind: "calls", calls: [{ toolName, input, why: "the connection failed: try once more" }] };
  }
  return done(failedFinding(heading, context.outcomes));
}

function isBroken({ failure }: CallOutcome): boolean {
  return (
    failure?.code === "timeout" ||
    /\b(?:dns|connect|connection|reset|econn\w+)\b/iu.test(`${failure?.code.replaceAll("_", " ")} ${failure?.message}`)
  );
}

function pageFinding(heading: string, last: CallOutcome, context: GoalContext): Finding {
  const title = stringField(last.value, "title");
  const status = numberField(last.value, "status_code") ?? numberField(last.value, "status");
  const text = pageText(textIn(last));
  const first = text.split("\n").find((line) => /[\p{L}\p{N}]/u.test(line)) ?? "";
  const named = title === undefined ? "" : ` "${oneLine(title)}"`;
  const answered = status === undefined ? "" : ` (status ${status})`;
  return {
    heading,
    status: "done",
    summary: `Got the page${named}${answered}, ${text.length} characters; it begins: ${clip(oneLine(first), 160)}`,
    details: [fenced(clip(text, 2_000))],
    notes: failureNotes(context.outcomes),
  };
}

/** Takes the marks of untrusted content off: here it is only quoted, never followed. */
function pageText(text: string): string {
  return text.replaceAll(/<\/?untrusted-web-content[^>]{0,2000}>/gu, "").trim();
}
