import { closeSync, mkdirSync, openSync, rmdirSync, statSync, unlinkSync } from "node:fs";
import type { ProtectedEntry } from "../policy/protected-entries.ts";

/** Processes that rely on an entry that was made for them. */
const users = new Map<string, number>();

/**
 * Makes the entries that something is mounted on; gives the function that takes them away again, empty ones that were made here alone.
 * Taking one away from under a running process would lift its protection, so the last one to end does it.
 */
export function holdPlaceholders(placeholders: readonly ProtectedEntry[]): () => void {
  const held = placeholders.filter(hold);
  let released = false;
  return () => {
    if (released) return;
    released = true;
    for (const one of held) release(one);
  };
}

/** False for an entry that came to be meanwhile: it is somebody's, and protected as it is. */
function hold({ path, kind }: ProtectedEntry): boolean {
  const before = users.get(path) ?? 0;
  if (before === 0 && !make(path, kind)) return false;
  users.set(path, before + 1);
  return true;
}

function make(path: string, kind: ProtectedEntry["kind"]): boolean {
  try {
    if (kind === "directory") mkdirSync(path);
    else closeSync(openSync(path, "wx", 0o644));
    return true;
  } catch {
    return false;
  }
}

function release({ path, kind }: ProtectedEntry): void {
  const left = (users.get(path) ?? 1) - 1;
  if (left > 0) return void users.set(path, left);
  users.delete(path);
  try {
    if (kind === "directory") rmdirSync(path);
    else if (statSync(path).size === 0) unlinkSync(path);
  } catch {
    // Somebody put something in it, or took it away: it is theirs.
  }
}
