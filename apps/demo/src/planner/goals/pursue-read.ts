import { capabilityOf, planCall } from "../capabilities.ts";
import type { PlannedCall } from "../capabilities.ts";
import {
  callsOr,
  done,
  failedFinding,
  failureNotes,
  fenced,
  isSameCall,
  noToolFinding,
  outcomesOf,
  planNewCall,
} from "../goal.ts";
import type { Finding, GoalContext, Move } from "../goal.ts";
import type { IntentOf } from "../intent.ts";
import { clip } from "../json.ts";
import type { OfferedTool } from "../offered-tool.ts";
import type { CallOutcome } from "../read-results.ts";
import { fileTexts, pathsIn } from "../result-content.ts";

const narrowLimit = 200;
const lookingOnly = new Set(["read_file", "find_files", "list_directory", "search_text"]);

/** Reads files; a missing one is looked for under its nearest name, one too large is read in part. */
export function pursueRead(intent: IntentOf<"read">, context: GoalContext): Move {
  const heading = `Read ${intent.paths.join(", ")}`;
  const last = context.outcomes.at(-1);
  if (last === undefined) {
    const calls = planReading(intent.paths, context.tools, `read ${intent.paths.join(", ")}`);
    return callsOr(calls, noToolFinding(heading, "read a file"));
  }
  const move = nextMove(intent, last, context);
  return move === undefined ? done(readFinding(intent, context)) : { kind: "calls", calls: [move] };
}

/** One call for all paths where a tool takes several, else one call for each. */
export function planReading(paths: readonly string[], tools: readonly OfferedTool[], why: string): PlannedCall[] {
  const together = planCall(
    "read_file",
    { path: paths.length === 1 ? paths[0] : paths, lineNumbers: false },
    { tools, why },
  );
  if (together !== undefined) return [together];
  return paths
    .slice(0, 4)
    .flatMap((path) => planCall("read_file", { path, lineNumbers: false }, { tools, why: `read ${path}` }) ?? []);
}

/** The texts of all files read so far. */
export function textsRead(context: Pick<GoalContext, "tools" | "outcomes">): Map<string, string> {
  const texts = new Map<string, string>();
  for (const outcome of outcomesOf(context, "read_file").filter(({ status }) => status === "ok")) {
    for (const [path, text] of fileTexts(outcome, askedPaths(outcome))) texts.set(path, text);
  }
  return texts;
}

/** A call the failure itself proposes, if it only looks at things and was not made yet. */
export function suggestedCall(last: CallOutcome, { tools, outcomes }: GoalContext): PlannedCall | undefined {
  const { failure } = last;
  if (failure === undefined || failure.refused || failure.code === "invalid_input") return undefined;
  return failure.suggested
    .filter(({ toolName }) => lookingOnly.has(capabilityOf(toolName, tools) ?? ""))
    .map(({ toolName, input }) => ({ toolName, input, why: "follow the suggestion of the failed call" }))
    .find((call) => !outcomes.some((made) => isSameCall(made, call)));
}

function nextMove(intent: IntentOf<"read">, last: CallOutcome, context: GoalContext): PlannedCall | undefined {
  const finding = capabilityOf(last.toolName, context.tools) === "find_files";
  if (last.status === "ok") return finding ? readFound(intent, last, context) : undefined;
  if (last.status !== "failed" || finding) return undefined;
  if (textsRead(context).size > 0 && intent.paths.length > 1) return undefined;
  return afterFailedReading(askedPaths(last)[0] ?? intent.paths[0] ?? ".", last, context);
}

function afterFailedReading(path: string, last: CallOutcome, context: GoalContext): PlannedCall | undefined {
  const { code = "failed", nearest = [] } = last.failure ?? {};
  const told = suggestedCall(last, context) ?? nearestCall(nearest, context);
  if (told !== undefined) return told;
  switch (code) {
    case "too_large": {
      const why = `${path} is too large: read its first ${narrowLimit} lines`;
      return planNewCall(context, "read_file", { path, limit: narrowLimit, why });
    }
    case "not_a_file":
      return planNewCall(context, "list_directory", { path, why: `${path} is no file: list it` });
    case "not_found":
    case "failed":
      return lookElsewhere(path, context);
    default:
      return undefined;
  }
}

function nearestCall(nearest: readonly string[], context: GoalContext): PlannedCall | undefined {
  for (const path of nearest) {
    const call = planNewCall(context, "read_file", {
      path,
      lineNumbers: false,
      why: `the nearest existing name is ${path}`,
    });
    if (call !== undefined) return call;
  }
  return undefined;
}

function lookElsewhere(path: string, context: GoalContext): PlannedCall | undefined {
  const name = path.split(/[\\/]/u).findLast((part) => part !== "") ?? path;
  return planNewCall(context, "find_files", {
    pattern: `**/${name}`,
    why: `${path} was not found: look for ${name} elsewhere`,
  });
}

function readFound(intent: IntentOf<"read">, found: CallOutcome, context: GoalContext): PlannedCall | undefined {
  const [path] = pathsIn(found).sort((left, right) => left.length - right.length || (left < right ? -1 : 1));
  if (path === undefined) return undefined;
  return planNewCall(context, "read_file", {
    path,
    lineNumbers: false,
    why: `${intent.paths[0] ?? "the file"} stands at ${path}`,
  });
}

function readFinding(intent: IntentOf<"read">, context: GoalContext): Finding {
  const heading = `Read ${intent.paths.join(", ")}`;
  const texts = textsRead(context);
  const listed = outcomesOf(context, "list_directory").find(({ status }) => status === "ok");
  if (texts.size === 0 && listed !== undefined) {
    const paths = pathsIn(listed);
    return {
      heading,
      status: "partly",
      summary: `It is a directory with ${paths.length} entries.`,
      details: [
        paths
          .slice(0, 60)
          .map((path) => `- ${path}`)
          .join("\n"),
      ],
      notes: failureNotes(context.outcomes),
    };
  }
  if (texts.size === 0) {
    const failed = context.outcomes.filter(({ status }) => status !== "ok");
    const finding = failedFinding(heading, failed);
    const searched = outcomesOf(context, "find_files").some(({ status }) => status === "ok");
    return searched ? { ...finding, notes: [...finding.notes, "Looking for it elsewhere found nothing."] } : finding;
  }
  const names = [...texts].map(([path, text]) => `${path} (${text.split("\n").length} lines)`);
  const missing = intent.paths.length - texts.size;
  return {
    heading,
    status: missing > 0 ? "partly" : "done",
    summary: `Read ${names.join(", ")}.`,
    details: [...texts].map(([path, text]) => `**${path}**\n\n${fenced(clip(text, 4_000), languageOf(path))}`),
    notes: failureNotes(context.outcomes),
  };
}

function askedPaths({ input }: CallOutcome): string[] {
  return Object.values(input).flatMap((value): string[] => {
    if (typeof value === "string") return [value];
    return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
  });
}

function languageOf(path: string): string {
  return /\.([a-z]{1,5})$/iu.exec(path)?.[1]?.toLowerCase() ?? "";
}
