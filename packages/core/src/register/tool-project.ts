import type { AiwConfig, ToolsConfig } from "../config/aiw-config.ts";
import type { ToolSource } from "../contract/tool-source.ts";
import { AiwError } from "../errors/aiw-error.ts";
import type { DiscoveryReport, Finding } from "./discovery-report.ts";
import type { NamePolicy } from "./resolve-names.ts";

/** What a registry is made of. */
export interface RegistrySetup extends NamePolicy, Pick<ToolsConfig, "enabled" | "disabled"> {
  readonly sources: readonly ToolSource[];
  readonly config: AiwConfig;
}

/** What a watched project is told and tells. */
export interface ProjectWatcher {
  /** What is in use now: it decides what is watched. */
  report(): DiscoveryReport;
  /** Something that discovery reads is different; must not throw. */
  changed(): void;
  /** Something cannot be watched as it should; must not throw. */
  degraded(finding: Finding): void;
}

/** A watch that is running. */
export interface ProjectWatch {
  /** Watches what the report names now. */
  refresh(): void;
  stop(): void;
}

/** Told which packages' code is being loaded, at each change; must not throw. */
export type LoadingListener = (packages: readonly string[]) => void;

/** The project a registry's tools are from: every reload asks it again. */
export interface ToolProject {
  /**
   * Reads configuration and makes the sources anew; nothing of what it gave before changes.
   * @throws AiwError `project_manifest_invalid`, `config_invalid`
   */
  read(): Promise<RegistrySetup>;
  /** Tells when what discovery reads may be different; keeps no process alive. */
  watch(watcher: ProjectWatcher): ProjectWatch;
  /** Tells whose code is being loaded, calls included; returns the function that ends it. */
  onLoading?(listener: LoadingListener): () => void;
  /** The tools of a folder that code names; a relative path starts at the project. */
  openDirectory(directory: string): Promise<ToolSource>;
}

/**
 * Gives the project of a registry, for what only a project can do.
 * @throws AiwError `project_required`
 */
export function requireProject(project: ToolProject | undefined, what: string): ToolProject {
  if (project !== undefined) return project;
  throw new AiwError(
    "project_required",
    `A registry that was made by hand belongs to no project that could be ${what}.`,
    { fix: "Make the registry with discoverTools() of @aiw/core/node." },
  );
}
