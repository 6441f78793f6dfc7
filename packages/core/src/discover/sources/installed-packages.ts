import { CONTRACT_VERSION, TOOL_BRAND, type Tool } from "../../contract/tool.ts";
import type { ToolEntry } from "../../contract/tool-source.ts";
import type { ToolSpec } from "../../contract/tool-spec.ts";
import type { AiwConfig } from "../../config/aiw-config.ts";
import { AiwError } from "../../errors/aiw-error.ts";
import { ToolError } from "../../errors/tool-error.ts";
import type { ReportingSource } from "../../register/compose-report.ts";
import { createEntry } from "../../register/create-entry.ts";
import { createFinding } from "../../register/create-finding.ts";
import type { Finding, FoundPackage } from "../../register/discovery-report.ts";
import type { DiscoveryPorts } from "../discovery-ports.ts";
import { isRefusal } from "../read/read-declaration.ts";
import type { RecordedTool } from "../read/read-declared-tools.ts";
import type { PackageRecord } from "../read/read-package.ts";
import { loadTool } from "../load/load-tool.ts";
import type { ModuleLoader } from "../load/module-loader.ts";
import { findInstalledPackages, type InstalledPackages } from "../find-installed-packages.ts";

/** Where and how to look for installed tool packages. */
export interface InstalledPackagesOptions {
  readonly projectDir: string;
  readonly production: boolean;
  readonly inventory: boolean;
  readonly config: AiwConfig;
  readonly ports: DiscoveryPorts;
  readonly modules: ModuleLoader;
}

/** The tools of the packages a project depends on. */
export class InstalledPackagesSource implements ReportingSource {
  readonly name = "installed-packages";
  readonly #options: InstalledPackagesOptions;
  readonly #failures = new Map<string, Finding>();
  #found: InstalledPackages | undefined;

  constructor(options: InstalledPackagesOptions) {
    this.#options = options;
  }

  /** Looks again each time. @throws AiwError `project_manifest_invalid`, `pnp_not_active` */
  async list(): Promise<readonly ToolEntry[]> {
    this.#found = await findInstalledPackages(this.#options);
    this.#failures.clear();
    return this.#found.records.flatMap((record) => record.tools.map((tool) => this.#toEntry(record, tool)));
  }

  /** What was found and what failed to load since; empty before the first `list`. */
  get report(): ReportingSource["report"] {
    const { records = [], rejected = [], missing = [], notEnabled = [], project, ms } = this.#found ?? {};
    return {
      ...(project && { project }),
      ...(ms && { ms }),
      found: records.map((record) => this.#toFound(record)),
      rejected: [...rejected, ...this.#failures.values()],
      missing,
      notEnabled,
    };
  }

  #toFound(record: PackageRecord): FoundPackage {
    const { id, version, dir, realDir, source, form, tools, notes, ms } = record;
    // A listed definition stays known when its code fails; one that only the code can tell does not.
    const known = tools.filter(({ name, spec }) => spec !== undefined || !this.#failures.has(toId(record, name)));
    return {
      id,
      version,
      dir,
      realDir,
      source,
      form,
      tools: known.map(({ name }) => name),
      notes: [...notes],
      ms: Math.round(ms * 100) / 100,
    };
  }

  #toEntry(record: PackageRecord, tool: RecordedTool): ToolEntry {
    const { id: packageKey, version, dir: directory, source, options } = record;
    const id = toId(record, tool.name);
    let loaded: Promise<Tool> | undefined;
    const load = (): Promise<Tool> => {
      loaded ??= this.#load(record, tool).catch((error: unknown) => {
        // Code that came late serves the next call; every other failure is final in this process.
        if (isTimeout(error)) loaded = undefined;
        throw error;
      });
      return loaded;
    };
    const { name, spec } = tool;
    return createEntry({
      id,
      name,
      origin: { source, package: packageKey, version, directory },
      ...(spec && { spec }),
      options,
      load,
    });
  }

  async #load(record: PackageRecord, tool: RecordedTool): Promise<Tool> {
    const { name, spec, module, export: exported } = tool;
    if (module === undefined || exported === undefined) return toDataTool(spec, name);
    const { id: packageKey, version, dir, realDir } = record;
    const { fs } = this.#options.ports;
    const loaded = await loadTool(
      { packageKey, name, dir, realDir, module, export: exported, spec },
      { fs, modules: this.#options.modules },
    );
    const id = toId(record, name);
    if (!isRefusal(loaded)) {
      this.#failures.delete(id);
      return loaded;
    }
    const finding = createFinding({ ...loaded, package: packageKey, version, dir, tool: name });
    this.#failures.set(id, finding);
    throw new AiwError("load_failed", `${id}: ${finding.reason}`, { fix: finding.fix, details: { finding } });
  }
}

function toId({ id }: PackageRecord, tool: string): string {
  return `${id}/${tool}`;
}

function isTimeout(error: unknown): boolean {
  return AiwError.is(error) && (error.details?.["finding"] as Finding | undefined)?.code === "load_timed_out";
}

/** A tool that is data alone: the executor of its type does the work. */
function toDataTool(spec: ToolSpec | undefined, name: string): Tool {
  if (spec === undefined) throw new AiwError("load_failed", `${name} has neither a definition nor a module.`);
  return Object.freeze({
    [TOOL_BRAND]: true as const,
    contractVersion: CONTRACT_VERSION,
    spec,
    execute: () => {
      throw new ToolError(
        "executor_missing",
        `${name} is run by an executor for the type ${JSON.stringify(spec.type)}.`,
      );
    },
  });
}
