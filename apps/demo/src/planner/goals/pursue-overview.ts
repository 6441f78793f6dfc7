import { callsOr, done, failedFinding, failureNotes, fenced, noToolFinding, outcomesOf, planNewCall } from "../goal.ts";
import type { Finding, GoalContext, Move } from "../goal.ts";
import { clip, ownField, parseJson, stringField } from "../json.ts";
import { pathsIn } from "../result-content.ts";
import { planReading, textsRead } from "./pursue-read.ts";

const tellingNames = [
  /^readme(?:\.\w+)?$/iu,
  /^package\.json$/u,
  /^pyproject\.toml$/u,
  /^cargo\.toml$/iu,
  /^go\.mod$/u,
];
const heading = "What this is";

/** Lists the root, reads the files there that describe the project, and says what they say. */
export function pursueOverview(context: GoalContext): Move {
  const last = context.outcomes.at(-1);
  if (last === undefined) {
    const listing =
      planNewCall(context, "list_directory", { path: ".", why: "see what is at the root" }) ??
      planNewCall(context, "find_files", { pattern: "*", why: "see what is at the root" });
    const guess = listing === undefined ? planReading(["README.md"], context.tools, "read the README") : [];
    return callsOr([listing, ...guess], noToolFinding(heading, "look at files"));
  }
  if (outcomesOf(context, "read_file").length > 0) return done(overviewFinding(context));
  if (last.status === "denied") return done(failedFinding(heading, context.outcomes));
  const names = last.status === "ok" ? tellingFiles(pathsIn(last)) : ["README.md"];
  const calls = planReading(names, context.tools, `the root has ${names.join(" and ")}: read what it says of itself`);
  return names.length > 0 && calls.length > 0 ? { kind: "calls", calls } : done(overviewFinding(context));
}

function tellingFiles(paths: readonly string[]): string[] {
  return tellingNames.flatMap((pattern) => paths.find((path) => pattern.test(path.replace(/^\.\//u, ""))) ?? []);
}

function overviewFinding(context: GoalContext): Finding {
  const texts = textsRead(context);
  const listed = [...outcomesOf(context, "list_directory"), ...outcomesOf(context, "find_files")].find(
    ({ status }) => status === "ok",
  );
  const entries = listed === undefined ? [] : pathsIn(listed);
  if (texts.size === 0 && entries.length === 0) return failedFinding(heading, context.outcomes);
  const readme = [...texts].find(([path]) => /readme/iu.test(path))?.[1] ?? "";
  const manifest = [...texts].find(([path]) => path.endsWith("package.json"))?.[1] ?? "";
  const facts = [...manifestFacts(manifest), ...(readme === "" ? [] : [readmeFact(readme)])];
  const folders = entries.filter((path) => path.endsWith("/"));
  return {
    heading,
    status: texts.size > 0 ? "done" : "partly",
    summary: facts[0] ?? `A folder with ${entries.length} entries, and no file that describes it.`,
    details: [
      ...(facts.length > 0 ? [facts.map((fact) => `- ${fact}`).join("\n")] : []),
      ...(entries.length > 0
        ? [`${entries.length} entries at the root; folders: ${folders.join(", ") || "none"}.`]
        : []),
      ...(readme === "" ? [] : [`The README begins:\n\n${fenced(clip(readme, 1_200), "md")}`]),
    ],
    notes: failureNotes(context.outcomes),
  };
}

function manifestFacts(text: string): string[] {
  const manifest = parseJson(text);
  const name = stringField(manifest, "name") ?? /"name"\s*:\s*"([^"\n]{1,200})"/u.exec(text)?.[1];
  if (name === undefined) return [];
  const description = stringField(manifest, "description") ?? /"description"\s*:\s*"([^"\n]{1,500})"/u.exec(text)?.[1];
  const scripts = Object.keys(Object(ownField(manifest, "scripts")) as object);
  return [
    `${name}${description === undefined ? "" : `: ${description}`}`,
    ...(scripts.length > 0 ? [`Scripts: ${scripts.slice(0, 20).join(", ")}.`] : []),
  ];
}

function readmeFact(readme: string): string {
  const lines = readme.split("\n").map((line) => line.trim());
  const title = lines.find((line) => line.startsWith("# "))?.slice(2);
  const start = lines.findIndex((line) => /^[\p{L}\p{N}*_`"]/u.test(line));
  const paragraph = start < 0 ? "" : (lines.slice(start).join("\n").split("\n\n")[0]?.replaceAll("\n", " ") ?? "");
  return clip([title, paragraph].filter((part) => part !== undefined && part !== "").join(" — "), 400);
}
