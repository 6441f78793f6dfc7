import { AiwError } from "../../errors/aiw-error.ts";
import { composeReport, isReportingSource } from "../../register/compose-report.ts";
import { compareText, sortFindings } from "../../register/create-finding.ts";
import type { DiscoveryReport, Finding } from "../../register/discovery-report.ts";
import { readSources } from "../../register/read-sources.ts";
import type { DiscoverToolsOptions } from "../discover-options.ts";
import { nodePorts } from "../discovery-ports.ts";
import { findProject } from "../find-project.ts";
import { sharedModuleLoader } from "../load/module-loader.ts";
import { ProjectReader, type ReadingWorld } from "../project-reader.ts";
import type { PackageRecord } from "../read/read-package.ts";
import { findOff } from "./find-off.ts";
import { judgeLock } from "./judge-lock.ts";
import type { AiwLock, LockedPackage } from "./lock-file.ts";
import { lockPackage } from "./lock-package.ts";
import { findLock } from "./open-lock.ts";

/** What a lock would say now. */
export interface CreatedLock {
  /** The folder it belongs into; none where there is no project. */
  readonly projectDir: string | undefined;
  readonly lock: AiwLock;
  /** What the project pins now; absent when there is no lock, or one that is damaged. */
  readonly former: AiwLock | undefined;
  /** Why the lock that is there cannot be read. */
  readonly damage: string | undefined;
  /** Keys that are taken from the former lock as they are: off, optional and absent, or left out in production. */
  readonly kept: readonly string[];
  /** What is enabled and cannot be pinned: definitions that only running code can tell. */
  readonly unpinned: readonly Finding[];
  /** Single tools that are broken and were never pinned, of packages that have others: their files are pinned, their definitions are not. */
  readonly broken: readonly Finding[];
}

/** What a lock is made from. */
export type CreateLockOptions = Omit<DiscoverToolsOptions, "frozen" | "requireStatic" | "inventory" | "cache">;

/**
 * Finds a project's tools and pins what they say and what would run of them; no tool code runs, and nothing is written.
 * @throws AiwError `lock_not_writable` where a package, or a tool that is pinned, cannot be read: a lock must not silently leave
 *   it out; and as `discoverTools` does
 */
export async function createLock(
  options: CreateLockOptions = {},
  world: Partial<ReadingWorld> = {},
): Promise<CreatedLock> {
  const whole: ReadingWorld = { ...nodePorts, modules: sharedModuleLoader, ...world };
  const records: PackageRecord[] = [];
  // It takes all there is, whatever the present lock says.
  const collector = {
    hold: (found: readonly PackageRecord[]) => {
      records.push(...found);
      return { records: found, notEnabled: [] };
    },
  };
  // Nothing is frozen where the lock itself is made; the environment must not forbid it.
  const { AIWHISPERER_FROZEN: _frozen, ...environment } = whole.environment;
  const reader = new ProjectReader({ ...options, cache: false }, { ...whole, environment }, collector);
  const { sources, config } = await reader.read();
  const { findings } = await readSources(sources);
  const report = composeReport({ sources, findings, kept: [], shadowed: [], resolveMs: 0 });
  const project = await findProject(toPlace(options, environment), whole);
  const present = readPresent(project?.dir, whole.fs);
  const pinned = new Map<string, LockedPackage>();
  const problems: Finding[] = findBroken(report, records, present.former);
  for (const record of records) {
    if (record.form !== "manifest") continue;
    const locked = lockPackage(record, whole.fs, present.former?.packages.get(record.id));
    if ("problem" in locked) problems.push(toProblem(record, locked.problem));
    else pinned.set(record.id, locked);
  }
  if (problems.length > 0) throw refuse(problems);
  const reports = sources.filter(isReportingSource).map((source) => source.report);
  const formerly = [...(present.former?.packages ?? [])];
  const keys = formerly.map(([key]) => key);
  const off = findOff(keys, { project, config, environment }, reports);
  const kept = formerly.filter(([key]) => off.has(key) && !pinned.has(key));
  return {
    ...present,
    projectDir: project?.dir,
    lock: { packages: new Map([...pinned, ...kept].toSorted(([a], [b]) => compareText(a, b))) },
    kept: kept.map(([key]) => key),
    unpinned: sortFindings(
      report.found.flatMap(({ notes }) => notes.filter(({ code }) => code === "slow_declaration")),
    ),
    broken: report.rejected.filter(({ tool }) => tool !== undefined),
  };
}

function readPresent(dir: string | undefined, fs: ReadingWorld["fs"]): Pick<CreatedLock, "former" | "damage"> {
  const found = dir === undefined ? undefined : findLock(dir, fs);
  if (found === undefined) return { former: undefined, damage: undefined };
  const judged = judgeLock(found);
  return { former: judged.lock, damage: judged.problem };
}

function toPlace(
  { projectDir = process.cwd(), production }: CreateLockOptions,
  environment: ReadingWorld["environment"],
): { projectDir: string; production: boolean } {
  return { projectDir, production: production ?? environment["NODE_ENV"] === "production" };
}

const NOT_THERE: ReadonlySet<Finding["code"]> = new Set(["not_installed", "link_target_missing", "directory_missing"]);

/**
 * Whole packages and folders that are declared and say nothing; one of which every tool is broken is such a package, too. A tool
 * that is pinned is as much: a yes to the rest must not drop it.
 */
function findBroken(
  { rejected, missing }: DiscoveryReport,
  records: readonly PackageRecord[],
  former: AiwLock | undefined,
): Finding[] {
  const listed = new Set(records.map(({ id }) => id));
  const isPinned = (key: string, tool: string): boolean => former?.packages.get(key)?.tools.has(tool) === true;
  return [
    ...rejected.filter(
      ({ tool, severity, code, package: key }) =>
        (tool === undefined || !listed.has(key) || isPinned(key, tool)) &&
        severity === "error" &&
        !NO_PACKAGE.has(code),
    ),
    ...missing.filter(({ code }) => NOT_THERE.has(code)),
  ];
}

/** Said of what can bring no tools. */
const NO_PACKAGE: ReadonlySet<Finding["code"]> = new Set(["dependency_name_invalid"]);

function toProblem({ id, version, dir }: PackageRecord, problem: string): Finding {
  return {
    code: "lock_drift",
    severity: "error",
    package: id,
    ...(version !== undefined && { version }),
    dir,
    reason: `It cannot be pinned: ${problem}.`,
    fix: "Install it again, or remove it.",
  };
}

function toLine({ package: key, tool, reason }: Finding): string {
  return `${tool === undefined ? key : `${key}/${tool}`}: ${reason}`;
}

/** Findings that an error repeats; all of them are in its details. */
const MAX_SAID = 10;

function refuse(problems: readonly Finding[]): AiwError {
  const sorted = sortFindings(problems);
  const lines = sorted.slice(0, MAX_SAID).map(toLine);
  const more = sorted.length > MAX_SAID ? [`and ${sorted.length - MAX_SAID} more`] : [];
  return new AiwError(
    "lock_not_writable",
    `A lock would silently leave out what cannot be read, so none is made:\n${[...lines, ...more].join("\n")}`,
    { fix: sorted[0]?.fix ?? "aiw doctor", details: { findings: sorted } },
  );
}
