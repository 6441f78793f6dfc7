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

/** A registry admits no longer descriptions, so nobody is given more. */
const MAX_DESCRIPTION_LENGTH = 1024;

/** Reads what `collect` has written. */
export async function readCorpus(): Promise<CollectedTool[]> {
  const tools = JSON.parse(await readFile(CACHE_FILE, "utf8")) as CollectedTool[];
  return tools.map((tool) => ({ ...tool, description: tool.description.slice(0, MAX_DESCRIPTION_LENGTH) }));
}
