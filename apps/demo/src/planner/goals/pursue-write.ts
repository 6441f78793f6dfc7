import { capabilityOf, planCall } from "../capabilities.ts";
import type { PlannedCall } from "../capabilities.ts";
import { composeReport } from "../compose-report.ts";
import { callsOr, done, failedFinding, failureNotes, noToolFinding, planNewCall } from "../goal.ts";
import type { GoalContext, Move } from "../goal.ts";
import type { IntentOf } from "../intent.ts";
import { numberField, stringField } from "../json.ts";
import type { CallOutcome } from "../read-results.ts";

const maximumNames = 5;

/** Writes given text, or a report of all findings; it never replaces a file unless asked to. */
export function pursueWrite(intent: IntentOf<"write">, context: GoalContext): Move {
  const heading = `Write ${intent.path}`;
  const last = context.outcomes.at(-1);
  const content = intent.content ?? composeReport(context.request, context.findings);
  if (last === undefined) {
    const mode = modeOf(intent);
    const what = intent.content === undefined ? "the report" : "the given text";
    const call = planNewCall(context, "write_file", {
      path: intent.path,
      content,
      mode,
      why: `write ${what} to ${intent.path}`,
    });
    return callsOr([call], noToolFinding(heading, "write a file"));
  }
  const wrote = capabilityOf(last.toolName, context.tools) === "write_file";
  if (last.status === "ok" && wrote) return done(writtenFinding(heading, last, context));
  const again = wrote ? afterRefusedWrite(intent, content, context) : afterReading(intent, content, context);
  return again === undefined ? done(failedFinding(heading, context.outcomes)) : { kind: "calls", calls: [again] };
}

function afterRefusedWrite(intent: IntentOf<"write">, content: string, context: GoalContext): PlannedCall | undefined {
  const last = context.outcomes.at(-1);
  const code = last?.failure?.code;
  const path = stringField(last?.input, "path") ?? intent.path;
  if (code === "already_exists" && intent.mode === "create" && context.outcomes.length < maximumNames) {
    const free = numberedPath(intent.path, context.outcomes.length + 1);
    return planNewCall(context, "write_file", {
      path: free,
      content,
      why: `${path} exists already and stays as it is: write ${free}`,
    });
  }
  if ((code === "unread_target" || code === "already_exists") && intent.mode !== "create") {
    return planNewCall(context, "read_file", {
      path: intent.path,
      limit: 0,
      why: `${intent.path} must be read before it is replaced`,
    });
  }
  return undefined;
}

/** After the target was read, the write that was refused is made again. */
function afterReading(intent: IntentOf<"write">, content: string, context: GoalContext): PlannedCall | undefined {
  const { outcomes, tools } = context;
  if (outcomes.at(-1)?.status !== "ok" || outcomes.length > 3) return undefined;
  const why = `${intent.path} was read: change it as asked`;
  return planCall("write_file", { path: intent.path, content, mode: modeOf(intent) }, { tools, why });
}

/** Creating is what every tool does unasked; the other ways must be said. */
function modeOf({ mode }: IntentOf<"write">): string | undefined {
  return mode === "create" ? undefined : mode;
}

function writtenFinding(heading: string, last: CallOutcome, context: GoalContext) {
  const path = stringField(last.value, "path") ?? stringField(last.input, "path") ?? "the file";
  const bytes = numberField(last.value, "bytes_written");
  return {
    heading,
    status: "done" as const,
    summary: `Wrote ${path}${bytes === undefined ? "" : `, ${bytes} bytes`}.`,
    details: [],
    notes: failureNotes(context.outcomes),
  };
}

function numberedPath(path: string, number: number): string {
  const [, stem = path, extension = ""] = /^(.*?[^\\/])(\.[^.\\/]*)?$/su.exec(path) ?? [];
  return `${stem}-${number}${extension}`;
}
