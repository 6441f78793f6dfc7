import type { Tool, ToolPackage } from "@aiw/core";
import type { WorkspaceFiles } from "../workspace/workspace-entry.ts";

/** How the contract is run against tools. */
export interface ContractOptions {
  /** Options an operator would give; the tools' own schema checks them. */
  readonly options?: unknown;
  /**
   * `run` executes the examples of tools that, by their effects and permissions, only read this machine, each in a folder
   * of its own; `validate` executes nothing. `run` unless named.
   */
  readonly examples?: "run" | "validate";
  /** What the folder holds in which examples run. */
  readonly files?: WorkspaceFiles;
}

/** What the contract is run against. */
export interface ContractSubject extends ContractOptions {
  /** The default export of the package, or its tools. */
  readonly tools: ToolPackage | readonly Tool[];
  /** The package's folder, so that package.json is checked too; `import.meta.dirname + "/.."`. */
  readonly packageDir?: string | URL;
}

/** A package as it lies in a folder, built: its tools are loaded as a host loads them. */
export interface BuiltPackage extends ContractOptions {
  readonly packageDir: string | URL;
  readonly tools?: undefined;
}
