import { capabilityOf, planCall } from "./capabilities.ts";
import type { Capability, PlannedCall, Role } from "./capabilities.ts";
import { canonicalText } from "./json.ts";
import type { OfferedTool } from "./offered-tool.ts";
import type { CallOutcome } from "./read-results.ts";

/** How a wish ended. */
export type FindingStatus = "done" | "partly" | "failed" | "refused" | "impossible";

/** What came of one wish, in words made from real results. */
export interface Finding {
  heading: string;
  status: FindingStatus;
  summary: string;
  /** Markdown blocks with what was found. */
  details: readonly string[];
  /** What went wrong on the way and how the planner reacted. */
  notes: readonly string[];
}

/** The next thing to do for a wish: more calls, or the end. */
export type Move = { kind: "calls"; calls: readonly PlannedCall[] } | { kind: "done"; finding: Finding };

/** All that a wish may look at to choose its next move. */
export interface GoalContext {
  request: string;
  tools: readonly OfferedTool[];
  /** The calls made for this wish, in order. */
  outcomes: readonly CallOutcome[];
  /** The calls made for the whole request, in order. */
  allOutcomes: readonly CallOutcome[];
  /** What the earlier wishes ended with. */
  findings: readonly Finding[];
}

/** A move that makes calls, or ends the wish when no offered tool fits. */
export function callsOr(calls: readonly (PlannedCall | undefined)[], otherwise: Finding): Move {
  const possible = calls.filter((call) => call !== undefined);
  return possible.length > 0 ? { kind: "calls", calls: possible } : done(otherwise);
}

/** A move that ends the wish. */
export function done(finding: Finding): Move {
  return { kind: "done", finding };
}

/** Plans a call that was not made for this wish before. */
export function planNewCall(
  { tools, outcomes }: GoalContext,
  capability: Capability,
  { why, ...values }: Partial<Record<Role, unknown>> & { why: string },
): PlannedCall | undefined {
  const call = planCall(capability, values, { tools, why });
  return call === undefined || outcomes.some((made) => isSameCall(made, call)) ? undefined : call;
}

/** Says whether a call was made already, by name and arguments. */
export function isSameCall(made: Pick<CallOutcome, "toolName" | "input">, call: PlannedCall): boolean {
  return made.toolName === call.toolName && canonicalText(made.input) === canonicalText(call.input);
}

/** The outcomes of the calls that used one capability. */
export function outcomesOf(
  { tools, outcomes }: Pick<GoalContext, "tools" | "outcomes">,
  capability: Capability,
): CallOutcome[] {
  return outcomes.filter(({ toolName }) => capabilityOf(toolName, tools) === capability);
}

/** What went wrong with each call, in the order it happened. */
export function failureNotes(outcomes: readonly CallOutcome[]): string[] {
  return outcomes.flatMap(({ toolName, status, failure }) => {
    if (status === "unanswered") return [`\`${toolName}\` gave no result.`];
    if (failure === undefined) return [];
    return [`\`${toolName}\` was ${status === "denied" ? "refused" : "unsuccessful"}: ${oneLine(failure.message)}`];
  });
}

/** The finding of a wish for which no offered tool is of use. */
export function noToolFinding(heading: string, deed: string): Finding {
  return { heading, status: "impossible", summary: `No offered tool can ${deed}.`, details: [], notes: [] };
}

/** The finding of a wish whose last call did not succeed. */
export function failedFinding(heading: string, outcomes: readonly CallOutcome[]): Finding {
  const last = outcomes.at(-1);
  const refused = last?.status === "denied";
  const reason = oneLine(last?.failure?.message ?? "there was no result");
  return {
    heading,
    status: refused ? "refused" : "failed",
    summary: reason,
    details: [],
    notes: failureNotes(outcomes.slice(0, -1)),
  };
}

/** Puts text on one line, so that it stays inside its sentence. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, " ").trim();
}

/** Wraps text in a fence longer than any inside it. */
export function fenced(text: string, language = ""): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/gu)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n+$/u, "")}\n${fence}`;
}
