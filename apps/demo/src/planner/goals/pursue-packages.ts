import { callsOr, done, failedFinding, failureNotes, noToolFinding, outcomesOf, planNewCall } from "../goal.ts";
import type { Finding, GoalContext, Move } from "../goal.ts";
import { parseJson, stringField } from "../json.ts";
import { pathsIn } from "../result-content.ts";
import { planReading, textsRead } from "./pursue-read.ts";

const readTogether = 20;
const maximumManifests = 60;
const heading = "Packages";

/** Finds the package manifests and reads them all, some at a time. */
export function pursuePackages(context: GoalContext): Move {
  const last = context.outcomes.at(-1);
  if (last === undefined) {
    const finding =
      planNewCall(context, "find_files", { pattern: "**/package.json", why: "each package has a package.json" }) ??
      planNewCall(context, "list_directory", { path: "packages", why: "packages usually stand under packages/" });
    return callsOr([finding], noToolFinding(heading, "find files"));
  }
  if (last.status === "denied" && textsRead(context).size === 0) return done(failedFinding(heading, context.outcomes));
  const manifests = manifestPaths(context);
  const asked = new Set(outcomesOf(context, "read_file").flatMap(({ input }) => Object.values(input).flat()));
  const next = manifests.filter((path) => !asked.has(path)).slice(0, readTogether);
  const calls = next.length === 0 ? [] : planReading(next, context.tools, `read ${next.length} package manifests`);
  return calls.length > 0 ? { kind: "calls", calls } : done(packagesFinding(manifests, context));
}

function manifestPaths(context: GoalContext): string[] {
  const found = outcomesOf(context, "find_files")
    .filter(({ status }) => status === "ok")
    .flatMap(pathsIn);
  const listed = outcomesOf(context, "list_directory")
    .filter(({ status }) => status === "ok")
    .flatMap(pathsIn);
  const under = listed
    .filter((path) => path.endsWith("/"))
    .map((path) => (path.startsWith("packages/") ? `${path}package.json` : `packages/${path}package.json`));
  return [...new Set([...found, ...under])]
    .filter(
      (path) => /(?:^|\/)package\.json$/u.test(path) && !/(?:^|\/)(?:node_modules|dist|__fixtures__)\//u.test(path),
    )
    .sort()
    .slice(0, maximumManifests);
}

function packagesFinding(manifests: readonly string[], context: GoalContext): Finding {
  const packages = [...textsRead(context)]
    .filter(([path]) => path.endsWith("package.json"))
    .map(([path, text]) => toPackage(path, text))
    .filter(({ name }) => name !== undefined);
  if (packages.length === 0) {
    if (context.outcomes.some(({ status }) => status !== "ok"))
      return failedFinding(
        heading,
        context.outcomes.filter(({ status }) => status !== "ok"),
      );
    return {
      heading,
      status: "done",
      summary: `${manifests.length} manifests, none with a name.`,
      details: [],
      notes: [],
    };
  }
  const rows = packages.map(
    ({ name, version, folder, description }) =>
      `| ${cell(name)} | ${cell(version)} | ${cell(folder)} | ${cell(description)} |`,
  );
  return {
    heading,
    status: packages.length < manifests.length ? "partly" : "done",
    summary: `${packages.length} packages: ${packages.map(({ name }) => name).join(", ")}.`,
    details: [["| package | version | folder | what it is |", "|---|---|---|---|", ...rows].join("\n")],
    notes: failureNotes(context.outcomes),
  };
}

function toPackage(path: string, text: string) {
  const manifest = parseJson(text);
  const field = (name: string) =>
    stringField(manifest, name) ?? new RegExp(`"${name}"\\s*:\\s*"([^"\\n]{1,500})"`, "u").exec(text)?.[1];
  const folder = path.replace(/\/?package\.json$/u, "");
  return {
    name: field("name"),
    version: field("version"),
    folder: folder === "" ? "." : folder,
    description: field("description"),
  };
}

function cell(text: string | undefined): string {
  return (text ?? "").replaceAll("|", String.raw`\|`).replaceAll(/\s+/gu, " ");
}
