import { capabilityOf } from "../capabilities.ts";
import type { PlannedCall } from "../capabilities.ts";
import { callsOr, done, failedFinding, failureNotes, fenced, noToolFinding, outcomesOf, planNewCall } from "../goal.ts";
import type { Finding, GoalContext, Move } from "../goal.ts";
import type { IntentOf } from "../intent.ts";
import { clip } from "../json.ts";
import type { CallOutcome } from "../read-results.ts";
import { hitsIn, textIn, totalIn } from "../result-content.ts";
import type { Hit } from "../result-content.ts";
import { suggestedCall, textsRead } from "./pursue-read.ts";

const linesShown = 24;
const attempts = 5;

/** Searches file contents, widens the search until something is found, then reads around the first hit. */
export function pursueSearch(intent: IntentOf<"search">, context: GoalContext): Move {
  const term = intent.term ?? nameFromResults(context);
  const heading = intent.definition ? `Where ${term ?? "it"} is defined` : `Search for ${term ?? "?"}`;
  if (term === undefined) {
    return done({
      heading,
      status: "impossible",
      summary: "The request does not say what to search for, and nothing read so far names it.",
      details: [],
      notes: [],
    });
  }
  const last = context.outcomes.at(-1);
  if (last === undefined)
    return callsOr([firstSearch(term, intent, context)], noToolFinding(heading, "search file contents"));
  if (capabilityOf(last.toolName, context.tools) === "read_file") return done(searchFinding(heading, context));
  if (last.status === "denied") return done(failedFinding(heading, context.outcomes));
  const hits = hitsFound(last);
  if (hits.length > 0) {
    const reading = intent.definition ? readAround(bestHit(hits, term), context) : undefined;
    return reading === undefined ? done(searchFinding(heading, context)) : { kind: "calls", calls: [reading] };
  }
  const wider = context.outcomes.length < attempts ? widerSearch(term, last, context) : undefined;
  if (wider !== undefined) return { kind: "calls", calls: [wider] };
  if (last.status !== "ok") return done(failedFinding(heading, context.outcomes));
  return done({
    heading,
    status: "done",
    summary: `Nothing contains ${term}, also not with a broader search.`,
    details: [],
    notes: failureNotes(context.outcomes),
  });
}

function firstSearch(term: string, intent: IntentOf<"search">, context: GoalContext): PlannedCall | undefined {
  const path = intent.path ?? ".";
  const plain = () =>
    planNewCall(context, "search_text", {
      pattern: term,
      path,
      literal: true,
      outputMode: "matches",
      why: `search ${path} for ${term}`,
    });
  if (!intent.definition || !/^[\w$]+$/u.test(term)) return plain();
  const pattern = `(function|class|const|let|interface|type|enum|def|fn|func|struct)\\s+${term.replaceAll("$", String.raw`\$`)}\\b`;
  return (
    planNewCall(context, "search_text", {
      pattern,
      path,
      outputMode: "matches",
      why: `find where ${term} is defined`,
    }) ?? plain()
  );
}

function widerSearch(term: string, last: CallOutcome, context: GoalContext): PlannedCall | undefined {
  const asText = { pattern: term, path: ".", literal: true, outputMode: "matches" };
  return (
    suggestedCall(last, context) ??
    planNewCall(context, "search_text", { ...asText, why: `nothing yet: search everywhere for the text ${term}` }) ??
    planNewCall(context, "search_text", {
      ...asText,
      caseMode: "insensitive",
      why: `nothing yet: search for ${term} in any case`,
    })
  );
}

function hitsFound(outcome: CallOutcome): Hit[] {
  if (outcome.status !== "ok") return [];
  const hits = hitsIn(outcome);
  if (hits.length > 0 || (totalIn(outcome) ?? 0) === 0) return hits;
  return [{ path: "", line: 1, text: textIn(outcome) }];
}

/** Sources say more of a definition than built or test files do. */
function bestHit(hits: readonly Hit[], term: string): Hit | undefined {
  const score = ({ path, text }: Hit): number =>
    (/(?:^|\/)(?:dist|build|node_modules)\//u.test(path) ? 4 : 0) +
    (/\.(?:test|spec|d)\./u.test(path) ? 2 : 0) +
    (/\b(?:export|pub|public)\b/u.test(text) && text.includes(term) ? 0 : 1);
  return [...hits].sort((left, right) => score(left) - score(right))[0];
}

function readAround(hit: Hit | undefined, context: GoalContext): PlannedCall | undefined {
  if (hit === undefined || hit.path === "") return undefined;
  const offset = Math.max(1, hit.line - 4);
  return planNewCall(context, "read_file", {
    path: hit.path,
    offset,
    limit: linesShown,
    why: `read around line ${hit.line} of ${hit.path}`,
  });
}

function searchFinding(heading: string, context: GoalContext): Finding {
  const search = outcomesOf(context, "search_text").findLast(({ status }) => status === "ok");
  const hits = search === undefined ? [] : hitsFound(search);
  const total = (search === undefined ? undefined : totalIn(search)) ?? hits.length;
  const files = new Set(hits.map(({ path }) => path));
  const places = hits
    .slice(0, 20)
    .map(({ path, line, text }) => (path === "" ? text : `${path}:${line}: ${clip(text.trim(), 160)}`));
  const around = [...textsRead(context)].map(([path, text]) => `From ${path}:\n\n${fenced(clip(text, 2_000))}`);
  const first = hits[0];
  const where = first === undefined || first.path === "" ? "" : `, first at ${first.path}:${first.line}`;
  return {
    heading,
    status: "done",
    summary: `${total} ${total === 1 ? "hit" : "hits"} in ${files.size} ${files.size === 1 ? "file" : "files"}${where}.`,
    details: [fenced(places.join("\n")), ...around],
    notes: failureNotes(context.outcomes),
  };
}

/** A request may search for "a name it mentions": the first code name in a text read before. */
function nameFromResults({ tools, allOutcomes }: GoalContext): string | undefined {
  for (const text of textsRead({ tools, outcomes: allOutcomes }).values()) {
    const name = /`([A-Za-z_$][\w$]{3,60})(?:\([^`]{0,80}\))?`|\b([a-z]+[A-Z]\w{2,50})\(/u.exec(text);
    if (name !== null) return name[1] ?? name[2];
  }
  return undefined;
}
