import type { DiscoveryReport, FoundPackage } from "@aiw/core";
import type { ProjectLayout } from "@aiw/core/node";
import { formatFact, formatFinding, formatShadowed, formatWaiting, problemsOf } from "../../output/format-report.ts";
import { oneLine } from "../../output/one-line.ts";
import type { ConfigFacts, DiagnosedError, Diagnosis, TrustFacts } from "./diagnosis.ts";
import type { HostCheck } from "./inspect-host.ts";

/** The diagnosis for a person: where, with what, which packages; what is wrong comes last, beside the verdict. */
export function formatDiagnosis(diagnosis: Diagnosis, width: number | undefined): string {
  const { report, error } = diagnosis;
  const fact = (label: string, text: string): string => formatFact(label, text, width);
  const sections = [
    describeSurroundings(diagnosis).map(([label, text]) => fact(label, text)),
    report === null ? [] : report.found.flatMap((found) => describePackage(found, width)),
    report === null ? [] : describeProblems(report, width),
    error === undefined ? [] : [fact("failed", sayError(error))],
    [sayVerdict(diagnosis)],
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

type Fact = readonly [label: string, text: string];

function describeSurroundings(diagnosis: Diagnosis): Fact[] {
  const { report, layout, versions, config, environment, trust, checks } = diagnosis;
  return [
    ...(report === null ? [] : [["project", sayProject(report)] as const]),
    ...(layout === null ? [] : describeLayout(layout)),
    ["aiw", versions.aiw],
    ...checks.map((check): Fact => [check.name, sayCheck(check)]),
    ...(config === null ? [] : [["config", sayConfig(config)] as const]),
    ["trust", sayTrust(trust)],
    ...environment.map(({ name, value, effect }): Fact => ["variable", `${name}=${sayValue(value)}: ${effect}`]),
  ];
}

function sayProject({ project, ms }: DiscoveryReport): string {
  const { dir, name, mode, dependencies } = project;
  if (mode === "none") return `none in ${oneLine(dir)} or above it`;
  const read = dependencies === 1 ? "1 dependency" : `${dependencies} dependencies`;
  return `${oneLine(dir)}${name === undefined ? "" : ` (${oneLine(name)})`}: ${read} read in ${ms.total.toFixed(1)} ms`;
}

function describeLayout({ manager, layout, workspaceRoot, projectDir, cores, pnpActive }: ProjectLayout): Fact[] {
  if (projectDir === undefined) return [];
  const installed = layout === "none" ? `${manager}, nothing installed` : `${layout}, with ${manager}`;
  const workspace = workspaceRoot === undefined ? "" : `; workspace ${oneLine(workspaceRoot)}`;
  return [
    ["layout", `${installed}${pnpActive ? "; Plug'n'Play is active" : ""}${workspace}`],
    ...cores.map(({ version, dir, running }): Fact => [
      "core",
      `@aiw/core ${oneLine(version)} in ${oneLine(dir)}${running ? ", which runs" : ", the project's own"}`,
    ]),
  ];
}

function sayCheck({ level, message, fix }: HostCheck): string {
  const said = level === "ok" ? message : `warning: ${message}`;
  return oneLine(fix === undefined ? said : `${said.replace(/\.$/, "")}. Fix: ${fix}`);
}

function sayConfig({ file, holds, waits }: ConfigFacts): string {
  if (file === null) return "no aiw.config.json; to begin one: aiw init";
  const held =
    holds.length === 0 ? "nothing holds" : `${holds.map(oneLine).join(", ")} ${holds.length === 1 ? "holds" : "hold"}`;
  if (waits.length === 0) return `${oneLine(file)}: ${held}`;
  return `${oneLine(file)}: ${held}; ${waits.map(oneLine).join(", ")} ${waits.length === 1 ? "waits" : "wait"} for: aiw trust`;
}

function sayTrust({ file, records, changed, problem }: TrustFacts): string {
  if (problem !== undefined) return `warning: ${oneLine(problem)}`;
  if (records === 0) return `nothing of this project, in ${oneLine(file)}`;
  const count = records === 1 ? "1 record" : `${records} records`;
  const stale = changed === 0 ? "" : `, ${changed} of content that has changed: aiw trust`;
  return `${count} of this project${stale}, in ${oneLine(file)}`;
}

function sayValue(value: string): string {
  return oneLine(JSON.stringify(value.length > 200 ? `${value.slice(0, 200)}…` : value));
}

function describePackage({ id, version, tools, ms, notes }: FoundPackage, width: number | undefined): string[] {
  const said = tools === undefined ? "tools known once loaded" : tools.join(", ") || "no tool that can be used";
  return [
    formatFact("found", `${oneLine(id)} ${oneLine(version)}: ${said} (${ms.toFixed(1)} ms)`, width),
    ...notes
      .filter(({ code, severity }) => code !== "name_shadowed" && severity === "info")
      .map((note) => formatFinding("note", note, width)),
  ];
}

function describeProblems(report: DiscoveryReport, width: number | undefined): string[] {
  const { found, rejected, missing, notEnabled, waiting, shadowed } = report;
  const warnings = found
    .flatMap(({ notes }) => notes)
    .filter(({ code, severity }) => code !== "name_shadowed" && severity !== "info");
  return [
    ...rejected.map((finding) => formatFinding("rejected", finding, width)),
    ...warnings.map((finding) => formatFinding("warning", finding, width)),
    ...missing.map((finding) => formatFinding("missing", finding, width)),
    ...notEnabled.map((finding) => formatFinding("disabled", finding, width)),
    ...waiting.map((request) => formatWaiting(request, width)),
    ...shadowed.map((name) => formatShadowed(name, width)),
  ];
}

function sayError({ code, message, fix }: DiagnosedError): string {
  return oneLine(`${code}: ${message}${fix === undefined ? "" : ` Fix: ${fix}`}`);
}

function sayVerdict({ report, ok, checks }: Diagnosis): string {
  if (report === null) return "No tools: nothing could be looked at.";
  const usable = report.found.filter(({ tools }) => tools === undefined || tools.length > 0);
  const tools = usable.reduce((sum, { tools: names = [] }) => sum + names.length, 0);
  const problems = problemsOf(report).length + checks.filter(({ level }) => level !== "ok").length;
  const said = problems === 0 ? "no problems" : count(problems, "problem");
  const end = ok ? "everything that is enabled can be used" : "not everything can be used";
  return `${count(tools, "tool")} of ${count(usable.length, "package")}; ${said}: ${end}.`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
