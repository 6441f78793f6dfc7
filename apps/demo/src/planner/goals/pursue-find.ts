import { callsOr, done, failedFinding, failureNotes, noToolFinding, planNewCall } from "../goal.ts";
import type { Finding, GoalContext, Move } from "../goal.ts";
import type { IntentOf } from "../intent.ts";
import { pathsIn, totalIn } from "../result-content.ts";
import { suggestedCall } from "./pursue-read.ts";

/** Finds files by pattern; when nothing matches, a broader pattern and the whole tree are tried. */
export function pursueFindFiles(intent: IntentOf<"find_files">, context: GoalContext): Move {
  const { patterns, path } = intent;
  const heading = `Find ${patterns.join(", ")}`;
  const last = context.outcomes.at(-1);
  if (last === undefined) {
    const first = planNewCall(context, "find_files", {
      pattern: patterns.length === 1 ? patterns[0] : patterns,
      path,
      why: `find files named ${patterns.join(", ")}`,
    });
    return callsOr([first], noToolFinding(heading, "find files by pattern"));
  }
  if (last.status === "denied") return done(failedFinding(heading, context.outcomes));
  const paths = last.status === "ok" ? pathsIn(last) : [];
  if (paths.length > 0) return done(foundFinding(heading, paths, context));
  const broader =
    suggestedCall(last, context) ??
    planNewCall(context, "find_files", {
      pattern: broaden(patterns[0] ?? "*"),
      why: "nothing matched: try a broader pattern everywhere",
    });
  if (broader !== undefined && context.outcomes.length < 3) return { kind: "calls", calls: [broader] };
  if (last.status !== "ok") return done(failedFinding(heading, context.outcomes));
  return done({
    heading,
    status: "done",
    summary: "No file matches, also not with a broader pattern.",
    details: [],
    notes: failureNotes(context.outcomes),
  });
}

/** Lists a directory; a missing one is replaced by the nearest name, and failing that by its parent. */
export function pursueList(intent: IntentOf<"list">, context: GoalContext): Move {
  const heading = `List ${intent.path}`;
  const last = context.outcomes.at(-1);
  if (last === undefined) {
    const call =
      planNewCall(context, "list_directory", { path: intent.path, why: `list ${intent.path}` }) ??
      planNewCall(context, "find_files", { pattern: "*", path: intent.path, why: `list ${intent.path} by pattern` });
    return callsOr([call], noToolFinding(heading, "list a directory"));
  }
  if (last.status === "ok") return done(foundFinding(heading, pathsIn(last), context));
  if (last.status === "denied") return done(failedFinding(heading, context.outcomes));
  const nearest = last.failure?.nearest[0];
  const parent = intent.path.replace(/[\\/]?[^\\/]+[\\/]?$/u, "") || ".";
  const again =
    suggestedCall(last, context) ??
    (nearest === undefined
      ? undefined
      : planNewCall(context, "list_directory", { path: nearest, why: `the nearest existing name is ${nearest}` })) ??
    planNewCall(context, "list_directory", { path: parent, why: `list ${parent} instead` });
  return again === undefined || context.outcomes.length >= 3
    ? done(failedFinding(heading, context.outcomes))
    : { kind: "calls", calls: [again] };
}

function foundFinding(heading: string, paths: readonly string[], context: GoalContext): Finding {
  const last = context.outcomes.at(-1);
  const total = (last === undefined ? undefined : totalIn(last)) ?? paths.length;
  const shown = paths.slice(0, 40);
  const more = total > shown.length ? [`… and ${total - shown.length} more`] : [];
  return {
    heading,
    status: "done",
    summary: `${total} found: ${paths.slice(0, 6).join(", ")}${total > 6 ? ", …" : ""}.`,
    details: [[...shown.map((path) => `- ${path}`), ...more].join("\n")],
    notes: failureNotes(context.outcomes),
  };
}

function broaden(pattern: string): string {
  const name = pattern.split("/").at(-1) ?? pattern;
  const [stem = name, ...rest] = name.replaceAll("*", "").split(".");
  const extension = rest.at(-1);
  return stem === "" && extension !== undefined ? `**/*${extension}*` : `**/*${stem}*`;
}
