import type { Tool } from "./tool.ts";
import type { ToolSpec } from "./tool-spec.ts";

/** Where a tool came from. */
export interface ToolOrigin {
  /** The kind of source: `explicit`, `package`, `directory`, or a source's own word. */
  readonly source: string;
  /** The dependency key the project wrote. */
  readonly package?: string;
  readonly version?: string;
  /** The package's folder as located, for people. */
  readonly directory?: string;
}

/** The files of a package as a lock pins them, as data. */
export interface PinnedCode {
  /** `sha256-…` of each file, by path from the real folder, with `/`. */
  readonly files: Readonly<Record<string, string>>;
  /** Every file of the folder is listed, and no other may be loaded; else those are that listed code names. */
  readonly isWhole: boolean;
}

/** Where a tool's code is, as data: what a host needs to run it in another process. */
export interface ToolCode {
  readonly packageKey: string;
  /** Of the package when it was listed; absent where no package manager keeps it. */
  readonly version?: string;
  /** The package's folder as located. */
  readonly directory: string;
  /** The same with links followed; the module must stay inside. */
  readonly realDirectory: string;
  /** Relative to the folder. */
  readonly module: string;
  readonly export: string;
  /** What of the package may be loaded; absent where no lock holds. */
  readonly pinned?: PinnedCode;
}

/** One tool a source offers, before any of its code runs. */
export interface ToolEntry {
  /** `package/tool`; unique within a registry. */
  readonly id: string;
  readonly name: string;
  readonly origin: ToolOrigin;
  /** Absent until loaded for declarations that give names alone. */
  readonly spec?: ToolSpec;
  /** The operator's settings for the package, not yet validated. */
  readonly options?: unknown;
  /** True once its code has run in this process, which no reload can undo; absent where there is none. */
  isLoaded?(): boolean;
  /** Checks the place of the code as loading does, and runs none of it; absent where a tool is data or its module alone knows it. */
  resolveCode?(): Promise<ToolCode>;
  /** Runs the package's code; calls after the first share its outcome. */
  load(): Promise<Tool>;
}

/** Where tools come from: specs with a lazy load. */
export interface ToolSource {
  readonly name: string;
  /** Entries in an order that never depends on timing. */
  list(): Promise<readonly ToolEntry[]>;
  /** Everything `list` gives and the tools that only running code can name. */
  expand?(): Promise<readonly ToolEntry[]>;
  /** Runs the code of those tools it listed that are wanted, each in another process first, and keeps what fails for its report. */
  loadCode?(isWanted: (id: string) => boolean): Promise<void>;
}
