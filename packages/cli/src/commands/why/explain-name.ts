import {
  nearestNames,
  type DiscoveryCode,
  type DiscoveryReport,
  type Finding,
  type FoundPackage,
  type ShadowedName,
  type ToolEntry,
  type ToolRegistry,
} from "@aiw/core";
import { findingsOf } from "../../output/problems-of.ts";
import type { ExplainedPackage, ExplainedTool, Explanation, NameState } from "./explanation.ts";
import { readWanted } from "./read-wanted.ts";

/** What is known of a project, and what would be otherwise; the others are asked only when nothing answers. */
export interface Searched {
  readonly registry: ToolRegistry;
  /** If environment and `tools.enabled` let everything in. */
  readonly widened: () => Promise<ToolRegistry>;
  /** If everything that waits were trusted; its code must not be loaded. */
  readonly trusting: () => Promise<ToolRegistry>;
}

/** Explains where a name leads. */
export async function explainName(name: string, searched: Searched): Promise<Explanation> {
  const { registry } = searched;
  const { report } = registry;
  const entry = registry.getEntry(name);
  const found = report.found.find(({ id }) => id === (entry === undefined ? name : entry.origin.package));
  const base = {
    name,
    project: report.project.dir,
    tool: entry === undefined ? null : toTool(entry, registry),
    package: found === undefined ? null : toPackage(found, report.project.dir),
    contest: findContest(report.shadowed, { name, id: entry?.id }) ?? null,
  };
  const findings = findingsOf(report).filter((finding) => isAbout(finding, { name, entry, found }));
  // A package without a tool that can be used answers to nothing, whatever it is called.
  if (entry !== undefined || (found !== undefined && found.tools?.length !== 0)) {
    return { ...base, state: entry === undefined ? "package" : "tool", findings, nearest: [] };
  }
  return { ...base, ...(await explainNothing(name, { ...searched, findings })) };
}

interface NothingFound extends Searched {
  readonly findings: readonly Finding[];
}

type Reason = Pick<Explanation, "state" | "findings" | "nearest">;

async function explainNothing(name: string, searched: NothingFound): Promise<Reason> {
  const { findings, registry, widened, trusting } = searched;
  const { report } = registry;
  const state = findings.map(toState).find((one) => one !== undefined);
  if (state !== undefined) return { state, findings, nearest: [] };
  const narrowed = findNarrowing(report);
  if (narrowed.length > 0 && isThere(name, await widened()))
    return { state: "disabled", findings: narrowed, nearest: [] };
  const waiting = report.notEnabled.filter(({ code }) => code === "trust_required");
  if (waiting.length > 0 && isThere(name, await trusting()))
    return { state: "waits_for_trust", findings: waiting, nearest: [] };
  if (readWanted(report.project.dir, name) !== undefined) return { state: "no_tools", findings, nearest: [] };
  const nearest = listNearest(name, registry);
  // Nobody knows which tools are in what may not run or cannot be read.
  const closed = [...report.missing, ...report.notEnabled, ...report.rejected].filter(hidesTools);
  return { state: "unknown", findings: closed, nearest };
}

/** True where nobody could look: what names its tools is about them alone. */
function hidesTools({ code, tool, tools, severity }: Finding): boolean {
  if (CLOSED.has(code)) return tools === undefined;
  // It was looked into, and there is nothing.
  if (code === "no_tools") return false;
  return tool === undefined && tools === undefined && severity === "error";
}

const CLOSED: ReadonlySet<DiscoveryCode> = new Set(["trust_required", "static_manifest_required", "project_not_found"]);

function listNearest(name: string, registry: ToolRegistry): string[] {
  const { report } = registry;
  const packages = [...findingsOf(report).map((one) => one.package), ...report.found.map(({ id }) => id)];
  const nearest = nearestNames(name, [...registry.entries().flatMap((entry) => [entry.name, entry.id]), ...packages]);
  return nearest.length > 0 ? nearest : listByLastPart(name, packages);
}

/** A package is often called by what comes after its scope. */
function listByLastPart(name: string, packages: readonly string[]): string[] {
  const byLast = Map.groupBy(new Set(packages), (key) => key.slice(key.lastIndexOf("/") + 1));
  return [name, ...nearestNames(name, byLast.keys())].flatMap((last) => byLast.get(last) ?? []).slice(0, 3);
}

function isThere(name: string, registry: ToolRegistry): boolean {
  return (
    registry.has(name) || findingsOf(registry.report).some((one) => one.package === name) || isFound(name, registry)
  );
}

function isFound(name: string, { report }: ToolRegistry): boolean {
  return report.found.some(({ id }) => id === name || name.startsWith(`${id}/`));
}

/** What a whole project says of dependencies that are not looked at. */
function findNarrowing({ notEnabled, project }: DiscoveryReport): Finding[] {
  return notEnabled.filter(
    ({ code, package: about }) => code === "disabled_by_config" && about === (project.name ?? project.dir),
  );
}

/** What a finding says of its package, where it is no plain refusal. */
const STATES: ReadonlyMap<DiscoveryCode, NameState> = new Map<DiscoveryCode, NameState>([
  ["disabled_by_config", "disabled"],
  ["transitive_dependency", "not_enabled"],
  ["undeclared_dependency", "not_enabled"],
  ["static_manifest_required", "not_enabled"],
  ["lock_missing", "not_enabled"],
  ["lock_drift", "not_enabled"],
  ["trust_required", "waits_for_trust"],
  ["not_installed", "not_installed"],
  ["optional_absent", "not_installed"],
  ["link_target_missing", "not_installed"],
]);

/** Undefined for a remark on what works. */
function toState({ code, severity }: Finding): NameState | undefined {
  return STATES.get(code) ?? (severity === "error" ? "rejected" : undefined);
}

interface Subject {
  readonly name: string;
  readonly entry: ToolEntry | undefined;
  readonly found: FoundPackage | undefined;
}

function isAbout({ package: about, tool, tools = [] }: Finding, { name, entry, found }: Subject): boolean {
  if (entry === undefined && tools.includes(name)) return true;
  if (tool === undefined) return [name, `dir:${name}`, found?.id].includes(about) || name.startsWith(`${about}/`);
  // A tool has no business with its siblings; a package has with all of its tools.
  if (entry !== undefined) return about === entry.origin.package && tool === entry.name;
  return about === name || tool === name || `${about}/${tool}` === name;
}

function findContest(
  shadowed: readonly ShadowedName[],
  { name, id }: { name: string; id: string | undefined },
): ShadowedName | undefined {
  return shadowed.find(
    (one) => one.name === name || (id !== undefined && [one.winner, ...one.losers].some((ref) => ref.id === id)),
  );
}

function toTool({ id, name, origin }: ToolEntry, registry: ToolRegistry): ExplainedTool {
  const isOwner = registry.getEntry(name)?.id === id;
  return {
    id,
    version: origin.version ?? null,
    source: origin.source,
    callAs: isOwner && name !== id ? [name, id] : [id],
  };
}

function toPackage({ id, version, dir, source, form, tools }: FoundPackage, projectDir: string): ExplainedPackage {
  return { id, version, dir, source, form, tools: tools ?? null, wanted: readWanted(projectDir, id) ?? null };
}
