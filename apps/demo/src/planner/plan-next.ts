import type { PlannedCall } from "./capabilities.ts";
import { composeAnswer } from "./compose-report.ts";
import { done, failureNotes } from "./goal.ts";
import type { Finding, GoalContext, Move } from "./goal.ts";
import { pursueFetch } from "./goals/pursue-fetch.ts";
import { pursueFindFiles, pursueList } from "./goals/pursue-find.ts";
import { pursueGoBack } from "./goals/pursue-go-back.ts";
import { pursueOverview } from "./goals/pursue-overview.ts";
import { pursuePackages } from "./goals/pursue-packages.ts";
import { pursueRead } from "./goals/pursue-read.ts";
import { pursueReplace } from "./goals/pursue-replace.ts";
import { pursueRun } from "./goals/pursue-run.ts";
import { pursueSearch } from "./goals/pursue-search.ts";
import { pursueTool } from "./goals/pursue-tool.ts";
import { pursueWrite } from "./goals/pursue-write.ts";
import type { Intent } from "./intent.ts";
import { matchNamedTool } from "./match-tool.ts";
import { nameWords } from "./offered-tool.ts";
import type { OfferedTool } from "./offered-tool.ts";
import { maximumIntents, parseRequest } from "./parse-request.ts";
import type { CallOutcome, TurnState } from "./read-results.ts";

/** A call with the id by which its result is found again. */
export interface IdentifiedCall extends PlannedCall {
  callId: string;
}

/** What the planner does next: calls with a sentence about them, or the final answer. */
export type Plan = { kind: "calls"; say: string; calls: readonly IdentifiedCall[] } | { kind: "answer"; text: string };

/** A turn answers after at most this many steps with calls; agents commonly stop a loop at 20. */
export const maximumSteps = 16;

/** The last steps are kept for writing what was asked for. */
const stepsKeptForWriting = 3;
const callsTogether = 4;
const callsForOneWish = 8;

/** Plans the next step from the request, the offered tools and the results so far; it keeps no state. */
export function planNext(state: TurnState, tools: readonly OfferedTool[]): Plan {
  const wishes = parseWishes(state.request, tools);
  const findings: Finding[] = [];
  const calls: IdentifiedCall[] = [];
  for (const [index, intent] of wishes.slice(0, maximumIntents).entries()) {
    if (calls.length > 0 && needsEarlier(intent)) break;
    const outcomes = state.outcomes.filter(({ callId }) => wishOfCall(callId) === index);
    const context: GoalContext = { request: state.request, tools, outcomes, allOutcomes: state.outcomes, findings };
    const move = withinBounds(pursue(intent, context), intent, { state, outcomes });
    if (move.kind === "done") {
      findings.push(move.finding);
      continue;
    }
    calls.push(...move.calls.map((call, position) => ({ ...call, callId: toCallId(state.messages, index, position) })));
    if (calls.length >= callsTogether || needsEarlier(intent)) break;
  }
  if (calls.length > 0) return { kind: "calls", say: sayOf(calls), calls };
  const said = wishes.length > maximumIntents ? [...findings, tooMany(wishes.length)] : findings;
  return { kind: "answer", text: composeAnswer(said, { hasReport: hasReport(wishes, said), tools }) };
}

/** The wishes in working order: a report is written when everything it tells of is known. */
function parseWishes(request: string, tools: readonly OfferedTool[]): Intent[] {
  const verbs = tools.flatMap(({ name }) => nameWords(name).slice(0, 1));
  const intents = parseRequest(request, verbs)
    .filter(({ kind }) => kind !== "answer")
    .map((intent): Intent => {
      const named = intent.kind === "use_tool" ? undefined : matchNamedTool(intent.clause, tools);
      return named === undefined ? intent : { kind: "use_tool", clause: intent.clause, toolName: named.name };
    });
  const { now, later } = Object.groupBy(intents, (intent) => (isReport(intent) ? "later" : "now"));
  const kept = later ?? [];
  return [
    ...(now ?? []).slice(0, Math.max(0, maximumIntents - kept.length)),
    ...kept,
    ...(now ?? []).slice(Math.max(0, maximumIntents - kept.length)),
  ];
}

function pursue(intent: Intent, context: GoalContext): Move {
  switch (intent.kind) {
    case "overview":
      return pursueOverview(context);
    case "packages":
      return pursuePackages(context);
    case "list":
      return pursueList(intent, context);
    case "find_files":
      return pursueFindFiles(intent, context);
    case "read":
      return pursueRead(intent, context);
    case "search":
      return pursueSearch(intent, context);
    case "run":
      return pursueRun(intent, context);
    case "fetch":
      return pursueFetch(intent, context);
    case "write":
      return pursueWrite(intent, context);
    case "replace":
      return pursueReplace(intent, context);
    case "go_back":
      return pursueGoBack(intent, context);
    case "answer":
    case "use_tool":
      return pursueTool(intent.kind === "use_tool" ? intent : { kind: "use_tool", clause: intent.clause }, context);
  }
}

/** Ends a wish that would go on past the bounds of a turn. */
function withinBounds(
  move: Move,
  intent: Intent,
  { state, outcomes }: { state: TurnState; outcomes: readonly CallOutcome[] },
): Move {
  if (move.kind === "done") return move;
  const steps = intent.kind === "write" ? maximumSteps : maximumSteps - stepsKeptForWriting;
  if (state.steps < steps && outcomes.length < callsForOneWish) return move;
  return done({
    heading: intent.clause.text,
    status: "partly",
    summary: `Stopped after ${outcomes.length} calls: the bound of a turn is reached.`,
    details: [],
    notes: failureNotes(outcomes),
  });
}

function needsEarlier(intent: Intent): boolean {
  return (
    intent.kind === "write" ||
    intent.kind === "replace" ||
    intent.kind === "go_back" ||
    intent.kind === "run" ||
    intent.kind === "use_tool" ||
    (intent.kind === "search" && intent.term === undefined)
  );
}

function isReport(intent: Intent): boolean {
  return intent.kind === "write" && intent.content === undefined;
}

function hasReport(wishes: readonly Intent[], findings: readonly Finding[]): boolean {
  return wishes.some(
    (intent) =>
      intent.kind === "write" &&
      isReport(intent) &&
      findings.some(({ heading, status }) => status === "done" && heading === `Write ${intent.path}`),
  );
}

function tooMany(count: number): Finding {
  return {
    heading: "The rest",
    status: "impossible",
    summary: `The request has ${count} wishes; I work on the first ${maximumIntents}.`,
    details: [],
    notes: [],
  };
}

function sayOf(calls: readonly IdentifiedCall[]): string {
  return `Next: ${[...new Set(calls.map(({ why }) => why))].join("; ")}.`;
}

/** The id carries the wish it serves, since a model is given nothing but the prompt. */
function toCallId(messages: number, wish: number, position: number): string {
  return `plan_${messages}_${wish}_${position}`;
}

function wishOfCall(callId: string): number | undefined {
  const wish = /^plan_\d{1,9}_(\d{1,4})_\d{1,4}$/u.exec(callId)?.[1];
  return wish === undefined ? undefined : Number(wish);
}
