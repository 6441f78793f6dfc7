import path from "node:path";
import { ActivityStream, createEntry, ToolRegistry, type IsolationGrant, type ToolCode, type ToolEntry, type ToolLog } from "@aiw/core";
import { onTestFinished } from "vitest";
import type { UnifiedToolExecutorOptions } from "../../executor-options.ts";
import { ToolManager } from "../../tool-manager.ts";
import { UnifiedToolExecutor } from "../../unified-tool-executor.ts";
import { isolatePackages, type IsolatePackagesOptions } from "../isolate-packages.ts";
import { behaving } from "./behaving-package/tools.ts";

/** How the tools of the fixture run. */
export interface OpenBehavingOptions {
  readonly grant?: IsolationGrant;
  readonly executor?: Partial<UnifiedToolExecutorOptions>;
  readonly isolate?: Partial<IsolatePackagesOptions>;
  readonly options?: unknown;
  readonly log?: ToolLog;
}

/** A conversation, and what it told. */
export interface Behaving {
  readonly tools: ToolManager;
  readonly events: { readonly type: string; readonly [field: string]: unknown }[];
}

const DIRECTORY = path.join(import.meta.dirname, "behaving-package");
const PACKAGE = "@acme/behaving";

/** Where nothing confines, tests of the rest still run; those of confinement say that they were skipped. */
export const DEFAULT_GRANT: IsolationGrant = { confinement: "auto" };

/** Opens a conversation whose tools run in this process. */
export function openInProcess(options: OpenBehavingOptions = {}): Promise<Behaving> {
  return open(options, undefined);
}

/** Opens a conversation whose tools run in a process of their own. */
export function openIsolated(options: OpenBehavingOptions = {}): Promise<Behaving> {
  const isolation = isolatePackages({
    config: () => ({ packages: { [PACKAGE]: "isolated" }, grants: { [PACKAGE]: { ...DEFAULT_GRANT, ...options.grant } } }),
    projectDir: DIRECTORY,
    killMs: 300,
    ...(options.log && { log: options.log }),
    ...options.isolate,
  });
  return open(options, isolation);
}

async function open({ executor: settings, options, log }: OpenBehavingOptions, isolation: ReturnType<typeof isolatePackages> | undefined): Promise<Behaving> {
  const entries = behaving.tools.map((tool) => toEntry(tool.spec.name, options));
  const registry = new ToolRegistry({ sources: [{ name: "fixture", list: async () => entries }] });
  await registry.readSources();
  const activity = new ActivityStream();
  const events: Behaving["events"] = [];
  activity.subscribe("*", (event) => void events.push(event as never));
  const executor = new UnifiedToolExecutor(registry, {
    ...(isolation && { isolation }),
    ...(log && { log }),
    ...settings,
    limits: { retry: { attempts: 1 }, ...settings?.limits },
  });
  const manager = new ToolManager(executor, activity, { owns: executor, sessionId: "fixture" });
  onTestFinished(() => manager.close());
  return { tools: manager, events };
}

function toEntry(name: string, options: unknown): ToolEntry {
  const tool = behaving.tools.find(({ spec }) => spec.name === name);
  const code: ToolCode = {
    packageKey: PACKAGE,
    directory: DIRECTORY,
    realDirectory: DIRECTORY,
    module: "tools.ts",
    export: "behaving",
  };
  return createEntry({
    id: `${PACKAGE}/${name}`,
    name,
    origin: { source: "package", package: PACKAGE },
    ...(tool && { spec: tool.spec }),
    options,
    resolveCode: async () => code,
    load: async () => {
      if (tool === undefined) throw new Error(`no tool ${name}`);
      return tool;
    },
  });
}
