import { lstatSync } from "node:fs";
import { join, resolve } from "node:path";
import { AiwError, type AiwConfig, type DiscoveryReport, type ToolRegistry } from "@aiw/core";
import { createTrustStore, inspectLayout, joinWorkspace, type ProjectLayout } from "@aiw/core/node";
import type { CliIo } from "../../io.ts";
import { readFix } from "../../output/describe-failure.ts";
import { problemsOf } from "../../output/problems-of.ts";
import { readVersion } from "../../version.ts";
import { discoverProject } from "../discover-project.ts";
import { toAddCommand } from "../list/say-none.ts";
import { readOwnRecords } from "../trust/read-own-records.ts";
import { checkDeclarations } from "./check-declarations.ts";
import { checkEngine } from "./engine/check-engine.ts";
import { checkSlow } from "./check-slow.ts";
import type { ConfigFacts, DiagnosedError, Diagnosis, TrustFacts, WorkspaceFacts } from "./diagnosis.ts";
import { inspectHost, readHostFacts, type HostCheck } from "./inspect-host.ts";
import { readEnvironment } from "./read-environment.ts";

/** Where to look, and how far. */
export interface DiagnoseOptions {
  readonly cwd: string;
  /** Also runs the code of tools whose definitions are known without. */
  readonly load: boolean;
  /** All tools have to be as they are pinned. */
  readonly frozen: boolean;
}

/** Looks at everything that decides which tools there are; code runs only where trust and the declarations let it. */
export async function diagnose(options: DiagnoseOptions, io: Pick<CliIo, "environment">): Promise<Diagnosis> {
  const { cwd } = options;
  const searched = await search(options, io);
  const registry = searched.error === undefined ? searched.registry : undefined;
  const report = registry?.report;
  const host = await readHostFacts(cwd);
  const layout = await readLayout(cwd, io);
  const aiw = await readVersion();
  const engine = await inspectEngine(registry, { layout, aiw, io });
  return {
    ok: isUsable(report) && !engine.some(({ level }) => level === "error"),
    tools: registry?.entries().length ?? 0,
    ...(searched.error && { error: searched.error }),
    report: report ?? null,
    layout,
    versions: { node: host.nodeVersion, aiw },
    config: registry === undefined ? null : readConfigFacts(registry),
    workspace: registry === undefined ? null : readWorkspaceFacts(registry, cwd),
    environment: readEnvironment(io.environment),
    trust: await readTrustFacts(report?.project.dir, cwd, io.environment),
    checks: [...inspectHost(host), ...engine, ...checkPackages(report?.found ?? [])],
  };
}

function checkPackages(found: DiscoveryReport["found"]): HostCheck[] {
  return [...checkDeclarations(found), ...checkSlow(found)];
}

function isUsable(report: DiscoveryReport | undefined): boolean {
  if (report === undefined) return false;
  return report.project.mode !== "none" && !problemsOf(report).some(({ severity }) => severity === "error");
}

interface Surroundings {
  readonly layout: ProjectLayout | null;
  readonly aiw: string;
  readonly io: Pick<CliIo, "environment">;
}

/** Where nothing could be discovered, nothing is known to be configured. */
async function inspectEngine(
  registry: ToolRegistry | undefined,
  { layout, aiw, io }: Surroundings,
): Promise<HostCheck[]> {
  if (registry === undefined) return [];
  const { config, report } = registry;
  return checkEngine({
    projectDir: report.project.dir,
    config,
    report,
    environment: io.environment,
    add: toAddCommand(layout ?? { manager: "npm" }),
    program: process.argv[1],
    version: aiw,
  });
}

type Searched = { readonly registry: ToolRegistry; readonly error?: undefined } | { readonly error: DiagnosedError };

/** What keeps every tool away is what a doctor is asked about; it must not end the visit. */
async function search({ cwd, load, frozen }: DiagnoseOptions, io: Pick<CliIo, "environment">): Promise<Searched> {
  try {
    const registry = await discoverProject(io, { projectDir: cwd, inventory: true, frozen });
    await (load ? registry.loadCode() : registry.load());
    return { registry };
  } catch (error) {
    if (!AiwError.is(error)) throw error;
    const { code, message } = error;
    const fix = readFix(error);
    return { error: { code, message, ...(fix !== undefined && { fix }) } };
  }
}

async function readLayout(cwd: string, { environment }: Pick<CliIo, "environment">): Promise<ProjectLayout | null> {
  try {
    return await inspectLayout(cwd, { environment });
  } catch (error) {
    // The same failure ended discovery and is told there.
    if (AiwError.is(error)) return null;
    throw error;
  }
}

/** As for a call from this folder. */
function readWorkspaceFacts({ config, report }: ToolRegistry, cwd: string): WorkspaceFacts {
  const folder = resolve(cwd);
  const given = { cwd: folder, roots: [folder] };
  const {
    roots,
    readOnly = [],
    deny = [],
  } = joinWorkspace(given, config.workspace, {
    projectDir: report.project.dir,
  });
  return { roots, readOnly, deny };
}

function readConfigFacts({ config, report }: ToolRegistry): ConfigFacts {
  const { dir, mode } = report.project;
  const file = join(dir, "aiw.config.json");
  const isThere = mode !== "none" && lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  return {
    file: isThere ? file : null,
    holds: isThere ? listHeld(config) : [],
    waits: report.waiting
      .filter(({ subject }) => subject === "configuration")
      .flatMap(({ parts }) => parts.map((part) => part.split(": ", 1)[0] ?? part)),
  };
}

/** Rules one by one, since some of them may wait; everything else by its key and the one below. */
function listHeld({ policy: { rules: judged = [], ...policy } = {}, ...config }: AiwConfig): string[] {
  const rules = judged.map(({ id = "" }) => id.slice(id.indexOf("#") + 1));
  const keys = Object.entries({ ...config, policy }).flatMap(([key, value]) =>
    Object.keys(Object(value)).map((member) => `/${key}/${member.replaceAll("~", "~0").replaceAll("/", "~1")}`),
  );
  return [...keys, ...rules];
}

async function readTrustFacts(
  projectDir: string | undefined,
  cwd: string,
  environment: CliIo["environment"],
): Promise<TrustFacts> {
  const store = createTrustStore({ environment });
  const problem = store.problem(projectDir ?? cwd);
  // What could not be discovered once cannot be twice.
  const records = projectDir === undefined ? [] : await readOwnRecords(store, { cwd, environment });
  return {
    file: store.file,
    records: records.length,
    current: records.filter(({ current }) => current).length,
    ...(problem && { problem: `${problem.reason} Fix: ${problem.fix}` }),
  };
}
