import type { ToolSpec } from "../../contract/tool-spec.ts";

/** The file beside a project's package.json. */
export const LOCK_FILE = "aiw.lock";

/** The version of the file that is read and written. */
export const LOCK_VERSION = 1;

/** Bytes a lock may have. */
export const MAX_LOCK: number = 64 * 1024 * 1024;

/** What is pinned of a project's tools. */
export interface AiwLock {
  /** By the key the project wrote. */
  readonly packages: ReadonlyMap<string, LockedPackage>;
}

/** One package with tools, as somebody looked at it. */
export interface LockedPackage {
  /** What its package.json calls it, where the key is another name. */
  readonly name?: string;
  readonly version: string;
  /** `sha256-…` of the canonical list of its files. */
  readonly content: string;
  /** By path from its folder, with `/`: `sha256-…` of the bytes. */
  readonly files: ReadonlyMap<string, string>;
  readonly tools: ReadonlyMap<string, LockedTool>;
}

/** One tool, as it was described and where its code was. */
export interface LockedTool {
  readonly definitionHash: string;
  /** Absent for a tool that is data. */
  readonly module?: string;
  readonly export?: string;
  readonly spec: ToolSpec;
}
