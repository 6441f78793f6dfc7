import { randomBytes } from "node:crypto";
import { readFile, rename, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { READ_DIRECTLY } from "./read-directly.ts";

/** What a journal says of itself. */
export interface JournalMeta {
  readonly version: 1;
  readonly sessionId: string;
  readonly cwd: string;
  readonly roots: readonly string[];
  /** Who writes it, as `ownProcess` names it. */
  readonly process: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

const META_FILE = "meta.json";

/** What the journal in a folder says of itself, or `undefined` where it says nothing that can be read. */
export async function readMeta(folder: string): Promise<JournalMeta | undefined> {
  try {
    const text = await readFile(join(folder, META_FILE), { encoding: "utf8", flag: READ_DIRECTLY });
    const meta: unknown = JSON.parse(text);
    return isMeta(meta) ? meta : undefined;
  } catch {
    return undefined;
  }
}

/** Says it anew, at once: a journal that says nothing is found by nobody. */
export async function writeMeta(folder: string, meta: JournalMeta): Promise<void> {
  const young = join(folder, `${META_FILE}.${randomBytes(8).toString("hex")}`);
  try {
    await writeFile(young, JSON.stringify(meta), { mode: 0o600, flag: "wx" });
    await rename(young, join(folder, META_FILE));
  } catch (error) {
    await unlink(young).catch(() => {});
    throw error;
  }
}

function isMeta(value: unknown): value is JournalMeta {
  if (typeof value !== "object" || value === null) return false;
  const { version, sessionId, process: mark, startedAt } = value as Partial<Record<keyof JournalMeta, unknown>>;
  return version === 1 && typeof sessionId === "string" && typeof mark === "string" && typeof startedAt === "number";
}
