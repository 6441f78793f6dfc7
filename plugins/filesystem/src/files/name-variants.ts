import { basename, dirname, join } from "node:path";
import { ToolError } from "@aiw/core";
import type { Workspace } from "@aiw/core/node";

/** Spaces, quotes and dashes that names hold and people or models type as plain ones. */
const SPACES = /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/gu;
const SINGLE_QUOTES = /[\u2018\u2019\u201a\u201b\u2032]/gu;
const DOUBLE_QUOTES = /[\u201c-\u201f\u2033]/gu;
const DASHES = /[\u2010-\u2015\u2212]/gu;

const MOST_NAMES = 10_000;
const MOST_LEVELS = 64;

/**
 * Finds the one file whose name differs from a missing one by Unicode form, odd spaces, curly quotes or dashes alone.
 * Gives its path, or `undefined` when there is none or more than one.
 */
export async function findVariant(workspace: Workspace, path: string): Promise<string | undefined> {
  const missing: string[] = [];
  let folder = workspace.resolve(path);
  while (!(await exists(workspace, folder))) {
    const parent = dirname(folder);
    if (parent === folder || missing.length >= MOST_LEVELS) return undefined;
    missing.unshift(basename(folder));
    folder = parent;
  }
  for (const name of missing) {
    const variant = await findAlike(workspace, folder, name);
    if (variant === undefined) return undefined;
    folder = join(folder, variant);
  }
  return missing.length === 0 ? undefined : folder;
}

async function exists(workspace: Workspace, path: string): Promise<boolean> {
  try {
    await workspace.lstat(path);
    return true;
  } catch (error) {
    if (ToolError.is(error) && error.code === "not_found") return false;
    throw error;
  }
}

async function findAlike(workspace: Workspace, folder: string, wanted: string): Promise<string | undefined> {
  const { entries, truncated } = await workspace.readdir(folder, { maxEntries: MOST_NAMES });
  if (truncated) return undefined;
  const names = entries.filter(({ nameBytes }) => nameBytes === undefined).map(({ name }) => name);
  if (names.includes(wanted)) return wanted;
  const folded = foldName(wanted);
  const alike = names.filter((name) => foldName(name) === folded);
  return alike.length === 1 ? alike[0] : undefined;
}

/** One spelling for names that look the same; case and letters stay as they are. */
function foldName(name: string): string {
  return name
    .normalize("NFC")
    .replaceAll(SPACES, " ")
    .replaceAll(SINGLE_QUOTES, "'")
    .replaceAll(DOUBLE_QUOTES, '"')
    .replaceAll(DASHES, "-");
}
