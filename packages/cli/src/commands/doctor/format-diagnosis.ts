import type { DiscoveryCode, DiscoveryReport, Finding, FoundPackage } from "@aiw/core";
import type { ProjectLayout } from "@aiw/core/node";
import { formatFact, formatFinding, formatShadowed } from "../../output/format-report.ts";
import { problemsOf } from "../../output/problems-of.ts";
import { wrapText } from "../../output/wrap-text.ts";
import type { ConfigFacts, DiagnosedError, Diagnosis, TrustFacts, WorkspaceFacts } from "./diagnosis.ts";
import type { HostCheck } from "./inspect-host.ts";

/** The diagnosis for a person: where, with what, which packages; what is wrong comes last, beside the verdict. */
export function formatDiagnosis(diagnosis: Diagnosis, width: number | undefined): string {
  const { report, error } = diagnosis;
  const fact = (label: string, text: string): string => formatFact(label, text, width);
  const sections = [
    describeSurroundings(diagnosis).map(([label, text]) => fact(label, text)),
    report === null ? [] : listUsable(report).map((found) => describePackage(found, width)),
    report === null ? [] : describeNotes(report, width),
    report === null ? [] : describeProblems(report, width),
    error === undefined ? [] : [fact("failed", sayError(error))],
    [wrapText(sayVerdict(diagnosis), { lead: "", width })],
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

type Fact = readonly [label: string, text: string];

function describeSurroundings(diagnosis: Diagnosis): Fact[] {
  const { report, layout, versions, config, workspace, environment, trust, checks } = diagnosis;
  return [
    ...(report === null ? [] : [["project", sayProject(report)] as const]),
    ...(layout === null ? [] : describeLayout(layout)),
    ["aiw", hasRunningCore(layout) ? versions.aiw : `${versions.aiw}, with its own copy of @aiw/core`],
    ...checks.map((check): Fact => [check.name, sayCheck(check)]),
    ...(config === null ? [] : [["config", sayConfig(config)] as const]),
    ...(workspace === null ? [] : describeFolders(workspace)),
    ["trust", sayTrust(trust)],
    ...environment.map(({ name, value, effect }): Fact => ["variable", `${name}=${sayValue(value)}: ${effect}`]),
  ];
}

function sayProject({ project, ms }: DiscoveryReport): string {
  const { dir, name, mode, dependencies } = project;
  if (mode === "none") return `none in ${dir} or above it`;
  const read = dependencies === 1 ? "1 dependency" : `${dependencies} dependencies`;
  return `${dir}${name === undefined ? "" : ` (${name})`}: ${read} read in ${ms.total.toFixed(1)} ms`;
}

function describeLayout({ manager, layout, workspaceRoot, projectDir, cores, pnpActive }: ProjectLayout): Fact[] {
  if (projectDir === undefined) return [];
  const kind = layout.startsWith(manager) ? layout : `${layout}, with ${manager}`;
  const installed = layout === "none" ? `${manager}, nothing installed` : kind;
  const workspace = workspaceRoot === undefined ? "" : `; workspace ${workspaceRoot}`;
  return [
    ["layout", `${installed}${pnpActive ? "; Plug'n'Play is active" : ""}${workspace}`],
    ...cores.map(({ version, dir, running }): Fact => [
      "core",
      `@aiw/core ${version} in ${dir}${running ? ", which runs" : ", the project's own"}`,
    ]),
  ];
}

/** A bundled command has no package of the core that could be named. */
function hasRunningCore(layout: ProjectLayout | null): boolean {
  return layout?.cores.some(({ running }) => running) === true;
}

function sayCheck({ level, message, fix }: HostCheck): string {
  const said = level === "ok" ? message : `${level}: ${message}`;
  return fix === undefined ? said : `${said}${/[.?]$/.test(said) ? "" : "."} Fix: ${fix}`;
}

function sayConfig({ file, holds, waits }: ConfigFacts): string {
  if (file === null) return "no aiw.config.json; to begin one: aiw init";
  const held = holds.length === 0 ? "nothing holds" : `${holds.join(", ")} ${holds.length === 1 ? "holds" : "hold"}`;
  if (waits.length === 0) return `${file}: ${held}`;
  return `${file}: ${held}; ${waits.join(", ")} ${waits.length === 1 ? "waits" : "wait"} for: aiw trust`;
}

function describeFolders({ roots, readOnly, deny }: WorkspaceFacts): Fact[] {
  return [
    ["folders", `tools work in ${roots.join(", ")}`],
    ...(readOnly.length === 0 ? [] : [["read-only", `nothing is written in ${readOnly.join(", ")}`] as const]),
    ...(deny.length === 0 ? [] : [["denied", `neither read nor written: ${deny.join(", ")}`] as const]),
  ];
}

function sayTrust({ file, records, current, problem }: TrustFacts): string {
  if (problem !== undefined) return `warning: ${problem}`;
  if (records === 0) return `nothing of this project, in ${file}`;
  const count = records === 1 ? "1 record" : `${records} records`;
  const stale = current === records ? "" : `, ${records - current} of what is not there now`;
  return `${count} of this project${stale}, in ${file}`;
}

function sayValue(value: string): string {
  return JSON.stringify(value.length > 200 ? `${value.slice(0, 200)}…` : value);
}

/** What failed as a whole is told as such, and was not found beside. */
function listUsable({ found, rejected }: DiscoveryReport): FoundPackage[] {
  const failed = new Set(rejected.flatMap(({ package: key, tool }) => (tool === undefined ? [key] : [])));
  return found.filter(({ id, tools = [] }) => tools.length > 0 || !failed.has(id));
}

function describePackage({ id, version, tools, ms }: FoundPackage, width: number | undefined): string {
  const said = tools === undefined ? "tools known once loaded" : tools.join(", ") || "no tool that can be used";
  return formatFact("found", `${[id, version].filter(Boolean).join(" ")}: ${said} (${ms.toFixed(1)} ms)`, width);
}

/** Remarks on packages that work: what several have in common is said once. */
function describeNotes({ found }: DiscoveryReport, width: number | undefined): string[] {
  const notes = found.flatMap((one) => one.notes).filter(({ severity }) => severity === "info");
  return [...Map.groupBy(notes, ({ code, fix }) => `${code} ${fix}`).values()].map(([first, ...others]) => {
    if (first === undefined) return "";
    const packages = [first, ...others].map((note) => note.package);
    return formatFinding("note", { ...first, package: packages.join(", "), ...(others.length > 0 && MANY) }, width);
  });
}

/** Facts of one package are not those of several. */
const MANY = { version: undefined, tool: undefined, pointer: undefined };

/** What a finding is called, where it is no plain refusal. */
const LABELS: ReadonlyMap<DiscoveryCode, string> = new Map<DiscoveryCode, string>([
  ["disabled_by_config", "disabled"],
  ["transitive_dependency", "unused"],
  ["undeclared_dependency", "unused"],
  ["trust_required", "waiting"],
  ["lock_missing", "unpinned"],
  ["lock_drift", "changed"],
  ["trust_store_invalid", "warning"],
  ["pattern_unmatched", "unmatched"],
  ["toolset_unmatched", "unmatched"],
  ["project_not_found", "warning"],
]);

function describeProblems({ found, ...report }: DiscoveryReport, width: number | undefined): string[] {
  const say = (label: string, findings: readonly Finding[]): string[] =>
    findings.map((finding) => formatFinding(LABELS.get(finding.code) ?? label, finding, width));
  const warnings = found
    .flatMap(({ notes }) => notes)
    .filter(({ code, severity }) => code !== "name_shadowed" && severity !== "info");
  return [
    ...report.shadowed.map((name) => formatShadowed(name, width)),
    ...say("inactive", report.notEnabled),
    ...say("warning", warnings),
    ...say("missing", report.missing),
    ...say("rejected", report.rejected),
  ];
}

function sayError({ code, message, fix }: DiagnosedError): string {
  return `${code}: ${message}${fix === undefined ? "" : ` Fix: ${fix}`}`;
}

function sayVerdict({ report, tools, ok, checks }: Diagnosis): string {
  if (report === null) return "No tools: nothing could be looked at.";
  if (report.project.mode === "none") return "No tools: there is no project.";
  const problems = problemsOf(report).length + checks.filter(({ level }) => level !== "ok").length;
  const offered = `${count(tools, "tool")} ${tools === 1 ? "is" : "are"} offered`;
  if (!ok) return `${offered}; ${count(problems, "problem")}: not everything can be used.`;
  if (problems === 0) return `${offered}; no problems: everything that is enabled can be used.`;
  return `${offered}; ${count(problems, "problem")}, told above.`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
