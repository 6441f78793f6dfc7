import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";

/** The folder of this benchmark. */
export const ROOT: string = resolve(import.meta.dirname, "..");

/** Other people's words: written by `collect`, never committed. */
export const CACHE_FILE: string = join(ROOT, ".cache/tools.json");

/** A public tool definition and where it is from. */
export interface CollectedTool {
  /** `package/tool`. */
  readonly id: string;
  readonly server: string;
  readonly version: string;
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema?: unknown;
}

/** Reads what `collect` has written. */
export async function readCorpus(): Promise<CollectedTool[]> {
  return JSON.parse(await readFile(CACHE_FILE, "utf8")) as CollectedTool[];
}
