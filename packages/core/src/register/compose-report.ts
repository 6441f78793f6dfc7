import type { ToolSource } from "../contract/tool-source.ts";
import { compareText, sortFindings, toShownText } from "./create-finding.ts";
import type {
  DiscoveredProject,
  DiscoveryReport,
  DiscoveryTimes,
  Finding,
  FoundPackage,
  ShadowedName,
  SourceReport,
} from "./discovery-report.ts";
import type { KeptPackage } from "./keep-loaded.ts";
import { toShadowedFindings } from "./resolve-names.ts";
import type { PatternPlace } from "./unmatched/unmatched-patterns.ts";

/** A source that says what it found and why it did not find more. */
export interface ReportingSource extends ToolSource {
  readonly report: Omit<SourceReport, "waiting"> & {
    readonly waiting?: SourceReport["waiting"];
    readonly project?: DiscoveredProject;
    readonly ms?: Omit<DiscoveryTimes, "resolve">;
  };
}

/** What a registry knows apart from its sources. */
export interface ReportParts {
  readonly sources: readonly ToolSource[];
  readonly findings: readonly Finding[];
  /** Packages that run as they were before they changed. */
  readonly kept: readonly KeptPackage[];
  readonly shadowed: readonly ShadowedName[];
  /** What the configuration names and no tool is; absent while there may be more tools. */
  readonly findUnmatched?: ((place: PatternPlace) => readonly Finding[]) | undefined;
  /** Milliseconds. */
  readonly resolveMs: number;
}

const NOWHERE: DiscoveredProject = { dir: "", mode: "none", dependencies: 0 };

/** Recognises a source that reports. */
export function isReportingSource(source: ToolSource): source is ReportingSource {
  return "report" in source;
}

/** Merges what sources and registry know into one sorted report. */
export function composeReport(parts: ReportParts): DiscoveryReport {
  const { sources, findings, kept, shadowed, findUnmatched, resolveMs } = parts;
  const reports = sources.filter(isReportingSource).map(({ report }) => report);
  const hidden = Map.groupBy(shadowed.flatMap(toShadowedFindings), (finding) => finding.package);
  const running = new Map(kept.map((one) => [one.note.package, one]));
  const own = (code: Finding["code"]): boolean => code === "disabled_by_config";
  const project = reports.find((report) => report.project !== undefined)?.project ?? NOWHERE;
  const place = { project: toShownText(project.name ?? project.dir), unread: listUnread(reports) };
  return {
    project,
    found: distinctFound(reports.flatMap(({ found }) => found))
      .map((one) => withNotes(asRunning(one, running.get(one.id)), hidden.get(one.id) ?? []))
      .toSorted((a, b) => compareText(a.id, b.id)),
    rejected: sortFindings([
      ...reports.flatMap(({ rejected }) => rejected),
      ...findings.filter(({ code }) => !own(code)),
      ...kept.filter(({ note }) => !isFound(note.package, reports)).map(({ note }) => note),
    ]),
    missing: sortFindings([...reports.flatMap(({ missing }) => missing), ...(findUnmatched?.(place) ?? [])]),
    notEnabled: sortFindings(
      withoutRepeats([...reports.flatMap(({ notEnabled }) => notEnabled), ...findings.filter(({ code }) => own(code))]),
    ),
    waiting: reports.flatMap(({ waiting = [] }) => waiting),
    shadowed,
    ms: toTimes(reports, resolveMs),
  };
}

/** A directory that is configured and scanned too is one place. */
function distinctFound(found: readonly FoundPackage[]): FoundPackage[] {
  return [...new Map(found.toReversed().map((one) => [[one.source, one.id, one.dir].join("\0"), one])).values()];
}

/** There is one record of what is trusted, whatever waits for it. */
function withoutRepeats(findings: readonly Finding[]): Finding[] {
  const said = new Set<string>();
  return findings.filter(({ code, reason }) => {
    if (code !== "trust_store_invalid") return true;
    const isNew = !said.has(reason);
    said.add(reason);
    return isNew;
  });
}

/** Packages of which something is said as a whole, or whose tools only code can name, and the project for those that are not named. */
function listUnread(reports: readonly ReportingSource["report"][]): string[] {
  const all = reports.flatMap((report) => report.found);
  const found = new Set(all.filter(({ tools }) => tools !== undefined).map(({ id }) => id));
  const said = reports.flatMap(({ rejected, missing, notEnabled }) => [...rejected, ...missing, ...notEnabled]);
  const unread = [...all.map(({ id }) => id), ...said.filter(isOfPackage).map(({ package: key }) => key)];
  return [...new Set(unread)].filter((key) => !found.has(key));
}

/** What waits of a configuration is said of the project, and hides no tools; an inventory lists what is no candidate. */
function isOfPackage({ code, version, tool }: Finding): boolean {
  if (code === "transitive_dependency" || code === "undeclared_dependency") return false;
  return tool === undefined && code !== "trust_store_invalid" && (code !== "trust_required" || version !== undefined);
}

/** Sources that do not report have nowhere else to say it. */
function isFound(packageKey: string, reports: readonly ReportingSource["report"][]): boolean {
  return reports.some(({ found }) => found.some(({ id }) => id === packageKey));
}

/** Says what is in use, not what lies on disk. */
function asRunning(found: FoundPackage, kept: KeptPackage | undefined): FoundPackage {
  if (kept === undefined) return found;
  const { version = found.version, tools, note } = kept;
  return { ...found, version, tools, notes: [...found.notes, note] };
}

function withNotes(found: FoundPackage, notes: readonly Finding[]): FoundPackage {
  return notes.length === 0 ? found : { ...found, notes: sortFindings([...found.notes, ...notes]) };
}

function toTimes(reports: readonly ReportingSource["report"][], resolve: number): DiscoveryTimes {
  const sum = (stage: "total" | "locate" | "read"): number =>
    reports.reduce((total, { ms }) => total + (ms?.[stage] ?? 0), 0);
  return {
    total: round(sum("total") + resolve),
    locate: round(sum("locate")),
    read: round(sum("read")),
    resolve: round(resolve),
  };
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100;
}
