import * as path from "node:path";
import type { Tool } from "../../contract/tool.ts";
import type { ToolCode, ToolEntry } from "../../contract/tool-source.ts";
import { AiwError } from "../../errors/aiw-error.ts";
import { createEntry } from "../../register/create-entry.ts";
import { createFinding } from "../../register/create-finding.ts";
import type { Finding, FoundPackage } from "../../register/discovery-report.ts";
import { isRefusal, type Refusal } from "../read/read-declaration.ts";
import type { RecordedTool } from "../read/read-declared-tools.ts";
import { modulesOf, type PackageRecord } from "../read/read-package.ts";
import type { LoadPorts, ModuleLocation } from "./import-entry.ts";
import type { ModuleTools } from "./load-module.ts";

/** The tools of packages that were read: their entries, and what became of their code since. What loads code is loaded with it. */
export class PackageTools {
  readonly #ports: LoadPorts;
  /** By the id of a tool, or of a package whose module failed. */
  readonly #failures = new Map<string, Finding[]>();
  /** Modules that have told their tools: their code will not run again. */
  readonly #told = new Map<string, ModuleTools>();
  #records: readonly PackageRecord[] = [];

  constructor(ports: LoadPorts) {
    this.#ports = ports;
  }

  /** Takes what was read, in place of what was read before. */
  replace(records: readonly PackageRecord[]): void {
    this.#records = records;
    this.#failures.clear();
  }

  /** Looks for the files that would be loaded, and runs none: for diagnosis, since listing must not pay for it. */
  async checkEntries(): Promise<void> {
    const { findMissingEntries } = await import("./find-missing-entries.ts");
    for (const record of this.#records) {
      for (const { ids, refusal } of findMissingEntries(record, this.#ports.fs)) {
        const finding = toFinding(refusal, record);
        // Said once for all tools of a file.
        for (const [index, id] of ids.entries()) this.#failures.set(id, index === 0 ? [finding] : []);
      }
    }
  }

  /** Runs the code of the tools that are wanted, each in another process first; one that failed is not run again. */
  async loadCode(isWanted: (id: string) => boolean): Promise<void> {
    const wanted = this.#records.flatMap((record) => record.tools.map((tool) => ({ record, tool })));
    await Promise.all(
      wanted.map(async ({ record, tool }) => {
        const id = toId(record, tool.name);
        if (!isWanted(id) || this.#failures.has(id)) return;
        // Code that is pinned must run nowhere but where it is compared: in this process. What fails is among the failures.
        await this.#load(record, tool, { trial: record.pin === undefined }).catch(() => undefined);
      }),
    );
  }

  /** The tools that are known, modules that ran included. */
  entries(): readonly ToolEntry[] {
    return this.#records.flatMap((record) => [
      ...record.tools.map((tool) => this.#toEntry(record, tool)),
      ...(this.#toldBy(record)?.tools ?? []).map((tool) => toKnownEntry(record, tool)),
    ]);
  }

  /** Runs the modules that alone know their tools; those that fail are left out and reported, and hold up no other. */
  async expand(): Promise<readonly ToolEntry[]> {
    await Promise.all(this.#records.map((record) => this.#expandOne(record)));
    return this.entries();
  }

  async #expandOne(record: PackageRecord): Promise<void> {
    if (record.module === undefined) return;
    const told = this.#toldBy(record) ?? (await this.#loadModule(record, record.module));
    const refusals = isRefusal(told) ? [told] : told.refusals;
    this.#failures.set(
      record.id,
      refusals.map((refusal) => toFinding(refusal, record)),
    );
    if (!isRefusal(told)) this.#told.set(placeOf(record), told);
  }

  /** What a report says of the packages. */
  found(): FoundPackage[] {
    return this.#records.map((record) => this.#toFound(record));
  }

  /** Why code that ran gave no tool. */
  failures(): Finding[] {
    return [...this.#failures.values()].flat();
  }

  #toldBy(record: PackageRecord): ModuleTools | undefined {
    return record.module === undefined ? undefined : this.#told.get(placeOf(record));
  }

  #toFound(record: PackageRecord): FoundPackage {
    const { id, version, dir, realDir, source, form, notes, ms } = record;
    const tools = this.#namesOf(record);
    return {
      id,
      version,
      dir,
      realDir,
      source,
      form,
      ...(tools && { tools }),
      notes: [...notes, ...this.#findChanged(record)],
      ms: Math.round(ms * 100) / 100,
    };
  }

  /** Forms for development have no version that would tell: the files do. */
  #findChanged(record: PackageRecord): Finding[] {
    if (record.form === "manifest") return [];
    const changed = modulesOf(record).find((module) => this.#ports.modules.hasChanged(path.join(record.dir, module)));
    if (changed === undefined) return [];
    const reason = `${changed} is different on disk, but its former code runs in this process and cannot be unloaded.`;
    return [toFinding({ code: "restart_required", reason, fix: "Start again to use what is there." }, record)];
  }

  /** A listed definition stays known when its code fails; one that only the code can tell does not. */
  #namesOf(record: PackageRecord): string[] | undefined {
    if (record.module !== undefined) return this.#toldBy(record)?.tools.map(({ spec }) => spec.name);
    return record.tools
      .filter(({ name, spec }) => spec !== undefined || !this.#failures.has(toId(record, name)))
      .map(({ name }) => name);
  }

  #toEntry(record: PackageRecord, tool: RecordedTool): ToolEntry {
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
    return createEntry({ ...identify(record, name), ...(spec && { spec }), ...this.#watchCode(record, tool), load });
  }

  /** Says whether the tool's code is in memory; a tool that is data has none. */
  #watchCode(record: PackageRecord, tool: RecordedTool): Pick<ToolEntry, "isLoaded" | "resolveCode"> {
    const { module, export: exported } = tool;
    if (module === undefined) return {};
    return {
      isLoaded: () => this.#ports.modules.has(path.join(record.dir, module)),
      ...(exported !== undefined && {
        resolveCode: () => this.#resolve(record, { ...tool, module, export: exported }),
      }),
    };
  }

  async #resolve(record: PackageRecord, tool: RecordedTool & { module: string; export: string }): Promise<ToolCode> {
    const { resolveToolCode } = await import("./resolve-tool-code.ts");
    const location = { ...toLocation(record, tool.module), name: tool.name, export: tool.export, spec: tool.spec };
    const code = resolveToolCode(location, this.#ports.fs);
    if (!isRefusal(code)) return code;
    throw toLoadFailure(toFinding({ tool: tool.name, ...code }, record), toId(record, tool.name));
  }

  async #loadModule(record: PackageRecord, module: string): Promise<ModuleTools | Refusal> {
    const { loadModule } = await import("./load-module.ts");
    return loadModule(toLocation(record, module), this.#ports);
  }

  async #load(record: PackageRecord, tool: RecordedTool, how?: { readonly trial: boolean }): Promise<Tool> {
    const { name, spec, module, export: exported } = tool;
    if (module === undefined || exported === undefined) {
      if (spec === undefined) throw new AiwError("load_failed", `${name} has neither a definition nor a module.`);
      const { createDataTool } = await import("../../define/define-data-tool.ts");
      return createDataTool(spec, { package: record.id, baseDirectory: record.realDir, readsEnvironment: false });
    }
    const { loadTool } = await import("./load-tool.ts");
    const location = { ...toLocation(record, module), name, export: exported, spec };
    const loaded = await loadTool(location, this.#ports, how);
    const id = toId(record, name);
    if (!isRefusal(loaded)) {
      this.#failures.delete(id);
      return loaded;
    }
    const finding = toFinding({ tool: name, ...loaded }, record);
    this.#failures.set(id, [finding]);
    throw toLoadFailure(finding, id);
  }
}

function toLoadFailure(finding: Finding, id: string): AiwError {
  return new AiwError("load_failed", `${id}: ${finding.reason}`, { fix: finding.fix, details: { finding } });
}

function toKnownEntry(record: PackageRecord, tool: Tool): ToolEntry {
  const { spec } = tool;
  return createEntry({ ...identify(record, spec.name), spec, isLoaded: () => true, load: () => Promise.resolve(tool) });
}

function identify(record: PackageRecord, name: string): Pick<ToolEntry, "id" | "name" | "origin" | "options"> {
  const { id: packageKey, version, dir: directory, source, options } = record;
  return { id: toId(record, name), name, origin: { source, package: packageKey, version, directory }, options };
}

function toLocation(record: PackageRecord, module: string): ModuleLocation {
  const { id: packageKey, dir, realDir, source, version, isTrusted, pin } = record;
  const listed = source === "package" ? version : undefined;
  return { packageKey, dir, realDir, module, source, version: listed, isTrusted, pin };
}

function toId({ id }: PackageRecord, tool: string): string {
  return `${id}/${tool}`;
}

function placeOf({ realDir, module }: PackageRecord): string {
  return `${realDir}\0${module}`;
}

function toFinding(refusal: Refusal, { id, version, dir }: PackageRecord): Finding {
  return createFinding({ ...refusal, package: id, version, dir });
}

function isTimeout(error: unknown): boolean {
  return AiwError.is(error) && (error.details?.["finding"] as Finding | undefined)?.code === "load_timed_out";
}
