import { statSync } from "node:fs";
import { resolve } from "node:path";
import {
  AiwError,
  assertKnownOptions,
  type ActivityStream,
  type AiwConfig,
  type PolicyRule,
  type Principal,
  type ToolLog,
  type ToolRegistry,
  type WorkspaceRoots,
} from "@aiw/core";
import { discoverTools, findDenyProblem, joinWorkspace, mergeConfigs, validateConfig } from "@aiw/core/node";
import { guardLog } from "./call/guard-log.ts";
import { builtInExecutors } from "./execute/built-in-executors.ts";
import type { Executor } from "./execute/executor.ts";
import type { Extension } from "./extend/extension.ts";
import type { ExecutorLimits } from "./executor-limits.ts";
import type { UnifiedToolExecutorOptions } from "./executor-options.ts";
import { isolatePackages } from "./isolate/isolate-packages.ts";
import { openExtensions } from "./open-extensions.ts";
import { ToolManager } from "./tool-manager.ts";
import { UnifiedToolExecutor } from "./unified-tool-executor.ts";

/** What goes to the executor as it is. */
type PassedOptions = Pick<
  UnifiedToolExecutorOptions,
  "approver" | "answerer" | "approvalTerms" | "suspension" | "argumentRepair" | "repeatedCalls" | "log"
>;

/** Where the tools are and how they may be used; everything has a safe default. */
export interface OpenToolsOptions extends PassedOptions {
  /** The project whose packages bring the tools; the working directory unless named. */
  readonly projectDir?: string;
  /** The host's own word: laid over the project's `aiw.config.json`, and trusted without asking. */
  readonly config?: AiwConfig;
  /** Told of the conversation's calls; its own stream unless named. */
  readonly activity?: ActivityStream;
  /** Tools that are known already; nothing is discovered then. */
  readonly registry?: ToolRegistry;
  /** Refuses to open unless all tools are as `aiw.lock` pins them; configuration cannot take it back. */
  readonly frozen?: boolean;
  /** `all` also loads definitions that only code tells, so that they can be offered; `on_call` waits for a call, unless a toolset needs them. */
  readonly load?: "all" | "on_call";
  /** A configured toolset: the conversation offers and may call its tools alone; all of them unless named. */
  readonly toolset?: string;
  /** What stands around calls beside what the configuration turns on; closed with the conversation. */
  readonly extensions?: readonly Extension[];
  /** The folders tools may touch; `projectDir` alone unless named. What the configuration says of `workspace` is added. */
  readonly workspace?: WorkspaceRoots;
  /** Executors by the type of tool they run, beside and in place of the built-in ones. */
  readonly executors?: { readonly [type: string]: Executor };
  /** Bounds of every call; each wins over the configuration's. */
  readonly limits?: ExecutorLimits;
  readonly principal?: Principal;
  readonly sessionId?: string;
}

/**
 * Opens one conversation with the tools of a project: registry, executor and state, as configured; dispose it to end all three.
 * @throws AiwError `project_manifest_invalid`, `pnp_not_active`, `config_invalid`, `tool_ambiguous`, `toolset_unknown`,
 *   `extension_unavailable`, `lock_missing`, `lock_invalid`, `lock_drift`
 */
export async function openTools(options: OpenToolsOptions = {}): Promise<ToolManager> {
  assertKnownOptions("openTools", options, KNOWN_OPTIONS);
  const projectDir = resolve(options.projectDir ?? process.cwd());
  assertFolder(projectDir);
  const given = validateConfig(options.config);
  const registry =
    options.registry ?? (await discoverTools({ projectDir, config: given, frozen: options.frozen === true }));
  if (options.registry === undefined) assertOptionsFit(registry);
  else assertForCalls(given, options.frozen === true);
  // Which tools a toolset has is known from their definitions.
  const isLoaded = options.load !== "on_call" || options.toolset !== undefined;
  if (options.registry === undefined && isLoaded) await registry.load();
  const { activity, principal, sessionId, toolset } = options;
  const config = followConfig(registry, options.registry === undefined ? undefined : given);
  const root = projectOf(registry) ?? projectDir;
  const configured = await openExtensions(config().extensions, { projectDir: root, registry, log: options.log });
  const extensions = [...(options.extensions ?? []), ...configured];
  try {
    const log = options.log ?? extensions.find((extension) => extension.log !== undefined)?.log;
    if (log !== undefined) warnOfHeld(registry, guardLog(log));
    const executor = createExecutor({ ...options, log }, { registry, projectDir, root, config, extensions });
    return new ToolManager(executor, activity, { owns: executor, principal, sessionId, toolset });
  } catch (error) {
    await Promise.allSettled(extensions.map(async (extension) => extension.close?.()));
    throw error;
  }
}

/** What a project's executor is made of. */
interface ExecutorParts {
  readonly registry: ToolRegistry;
  readonly projectDir: string;
  /** The folder of the project, which may be above the one tools work in: paths of its configuration start there. */
  readonly root: string;
  /** The configuration that holds now. */
  readonly config: () => AiwConfig;
  readonly extensions: readonly Extension[];
}

function createExecutor(options: OpenToolsOptions, parts: ExecutorParts): UnifiedToolExecutor {
  const { registry, projectDir, root, config, extensions } = parts;
  const { log } = options;
  const given = options.workspace ?? { cwd: projectDir, roots: [projectDir] };
  const workspace = joinWorkspace(given, config().workspace, { projectDir: root });
  assertRules(workspace);
  return new UnifiedToolExecutor(registry, {
    ...toPassed(options, config().policy),
    log,
    workspace,
    extensions,
    limits: layLimits(options.limits, config().limits),
    rules: () => config().policy?.rules ?? NO_RULES,
    approvalMode: () => config().policy?.approval,
    executors: { ...builtInExecutors({ grants: () => config().executors ?? {} }), ...options.executors },
    isolation: isolatePackages({
      config: () => config().isolation,
      projectDir: root,
      workspace,
      log,
    }),
  });
}

/** A rule that cannot be read would fail every call. */
function assertRules({ deny = [] }: WorkspaceRoots): void {
  for (const pattern of deny) {
    const problem = findDenyProblem(pattern);
    if (problem === undefined) continue;
    throw new AiwError("config_invalid", `workspace.deny has a pattern that cannot be read: ${problem.message}`, {
      fix: problem.suggestion,
    });
  }
}

/** A host that is not frozen goes on without what its lock holds back, and must not think that nobody wrote it. */
function warnOfHeld({ report }: ToolRegistry, log: ToolLog): void {
  const held = [...report.notEnabled, ...report.missing].filter(({ code }) => code.startsWith("lock_"));
  if (held.length === 0) return;
  const packages = [...new Set(held.map((finding) => finding.package))];
  const [shown, more] = [packages.slice(0, MAX_NAMED).join(", "), packages.length - MAX_NAMED];
  log.warn(`aiw.lock holds back ${shown}${more > 0 ? ` and ${more} more` : ""}. To see why: aiw lock --check`, {
    packages,
    tools: held.flatMap(({ tools = [] }) => tools),
  });
}

/** Packages that a warning names. */
const MAX_NAMED = 10;

/** What code says wins over the configuration. */
function toPassed(options: OpenToolsOptions, policy: AiwConfig["policy"] = {}): PassedOptions {
  const { approver, answerer, approvalTerms, suspension } = options;
  const { argumentRepair = policy.argumentRepair, repeatedCalls = policy.repeatedCalls } = options;
  return { approver, answerer, approvalTerms, suspension, argumentRepair, repeatedCalls };
}

/** The folder of the project, which may be above the one tools work in; none for a registry made by hand. */
function projectOf({ report }: ToolRegistry): string | undefined {
  return report.project.dir === "" ? undefined : report.project.dir;
}

const NO_RULES: readonly PolicyRule[] = Object.freeze([]);

/**
 * The configuration as it is at each question; reading the project again exchanges it whole. What discovery read is
 * merged already; a registry that is given knows nothing of the configuration beside it.
 */
function followConfig(registry: ToolRegistry, beside: AiwConfig | undefined): () => AiwConfig {
  let read: AiwConfig | undefined;
  let effective: AiwConfig = {};
  return () => {
    if (read === registry.config) return effective;
    read = registry.config;
    effective = beside === undefined ? read : mergeConfigs(beside, read);
    return effective;
  };
}

/** Limit by limit, also of each tool: one that is named and not given must not undo the configuration's. */
function layLimits(given: ExecutorLimits = {}, configured: ExecutorLimits = {}): ExecutorLimits {
  return mergeConfigs({ limits: given }, { limits: configured }).limits ?? {};
}

/** Keys that are about calls, not about which tools there are. */
const LATE_KEYS: ReadonlySet<string> = new Set([
  "$schema",
  "policy",
  "limits",
  "workspace",
  "extensions",
  "executors",
  "isolation",
]);

/** What decides how tools are found would silently not hold for tools that are found already. */
function assertForCalls(config: AiwConfig, frozen: boolean): void {
  const late = [...Object.keys(config).filter((key) => !LATE_KEYS.has(key)), ...(frozen ? ["frozen"] : [])];
  if (late.length === 0) return;
  throw new AiwError("config_invalid", `The registry is given, and ${late.join(", ")} would have no effect on it.`, {
    fix: "Pass that to discoverTools(), or leave the registry out.",
  });
}

/** A package whose configured options are wrong has no tools; whoever configured it must hear of that at once. */
function assertOptionsFit({ report }: ToolRegistry): void {
  const wrong = report.rejected.filter(({ code }) => code === "options_invalid");
  if (wrong.length === 0) return;
  const lines = wrong.map(({ pointer, reason }) => `${pointer ?? ""} ${reason}`);
  throw new AiwError("config_invalid", `The configuration is wrong: ${lines.join(" ")}`, {
    fix: wrong[0]?.fix ?? "Correct the configuration.",
    details: { findings: wrong },
  });
}

const KNOWN_OPTIONS: ReadonlySet<string> = new Set<keyof OpenToolsOptions>([
  "projectDir",
  "config",
  "approver",
  "approvalTerms",
  "suspension",
  "answerer",
  "activity",
  "registry",
  "frozen",
  "load",
  "toolset",
  "extensions",
  "workspace",
  "executors",
  "limits",
  "argumentRepair",
  "repeatedCalls",
  "principal",
  "sessionId",
  "log",
]);

function assertFolder(projectDir: string): void {
  if (statSync(projectDir, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new AiwError("config_invalid", `projectDir is no folder: ${projectDir}`, {
    fix: "Name the folder of the project, or one below it.",
  });
}
