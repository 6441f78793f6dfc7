import { capabilityOf } from "../capabilities.ts";
import { callsOr, done, failedFinding, failureNotes, fenced, noToolFinding, oneLine, planNewCall } from "../goal.ts";
import type { Finding, GoalContext, Move } from "../goal.ts";
import type { IntentOf } from "../intent.ts";
import { clip, numberField, stringField } from "../json.ts";
import type { CallOutcome } from "../read-results.ts";
import { pathsIn, textIn } from "../result-content.ts";
import { equivalentCall } from "./equivalent-call.ts";

/** The only refusal that leaves another way open: nobody was there to say yes. A person's no, a rule and a boundary are final. */
const openRefusal = "approval_required";

const longTimeout = 60;

/** Runs a command; where nobody allows it, a tool that only looks answers what it can. */
export function pursueRun({ command }: IntentOf<"run">, context: GoalContext): Move {
  if (command === undefined) {
    return done({
      heading: "Run a command",
      status: "impossible",
      summary: "The request names no command; put it in backticks, as in: run `git status`.",
      details: [],
      notes: [],
    });
  }
  const heading = `Run \`${oneLine(command)}\``;
  const last = context.outcomes.at(-1);
  if (last === undefined) {
    const call =
      planNewCall(context, "run_command", { command, why: `run \`${command}\`` }) ?? equivalentCall(command, context);
    return callsOr([call], noToolFinding(heading, "run a command"));
  }
  if (last.status === "ok") return done(ranFinding(heading, last, context));
  const again = nextWay(command, last, context);
  if (again !== undefined) return { kind: "calls", calls: [again] };
  return done(
    last.failure?.code === "command_failed"
      ? exitFinding(heading, last, context)
      : failedFinding(heading, context.outcomes),
  );
}

function nextWay(command: string, last: CallOutcome, context: GoalContext) {
  const code = last.failure?.code ?? "";
  if (context.outcomes.length > 2 || capabilityOf(last.toolName, context.tools) !== "run_command") return undefined;
  if (code === "timeout") {
    return planNewCall(context, "run_command", {
      command,
      timeout: longTimeout,
      why: `it took too long: allow ${longTimeout} seconds`,
    });
  }
  return code === openRefusal ? equivalentCall(command, context) : undefined;
}

function ranFinding(heading: string, last: CallOutcome, context: GoalContext): Finding {
  const instead = capabilityOf(last.toolName, context.tools) !== "run_command";
  if (instead) {
    const paths = pathsIn(last);
    const shown = capabilityOf(last.toolName, context.tools) === "read_file" ? textIn(last) : paths.join("\n");
    return {
      heading,
      status: "partly",
      summary: `The command did not run; \`${last.toolName}\` answered instead.`,
      details: [fenced(clip(shown === "" ? textIn(last) : shown, 3_000))],
      notes: failureNotes(context.outcomes),
    };
  }
  const code =
    numberField(last.value, "return_code") ??
    numberField(last.value, "returncode") ??
    numberField(last.value, "exit_code");
  const output = outputOf(last);
  const first = output.split("\n").find((line) => line.trim() !== "");
  const exit = code === undefined ? "It ran" : `Exit code ${code}`;
  return {
    heading,
    status: code === undefined || code === 0 ? "done" : "failed",
    summary: first === undefined ? `${exit}, no output.` : `${exit}; the output begins: ${clip(oneLine(first), 160)}`,
    details: output === "" ? [] : [fenced(clip(output, 3_000))],
    notes: failureNotes(context.outcomes),
  };
}

function exitFinding(heading: string, last: CallOutcome, context: GoalContext): Finding {
  const details = last.failure?.details;
  const code = numberField(details, "return_code");
  const output = stringField(details, "output") ?? "";
  return {
    heading,
    status: "failed",
    summary: `${code === undefined ? "The command failed" : `Exit code ${code}`}: ${oneLine(last.failure?.message ?? "")}`,
    details: output === "" ? [] : [fenced(clip(output, 3_000))],
    notes: failureNotes(context.outcomes.slice(0, -1)),
  };
}

function outputOf(outcome: CallOutcome): string {
  const stdout = stringField(outcome.value, "stdout");
  const stderr = stringField(outcome.value, "stderr");
  if (stdout === undefined && stderr === undefined) return textIn(outcome).trimEnd();
  return [stdout, stderr]
    .filter((part) => part !== undefined && part !== "")
    .join("\n")
    .trimEnd();
}
