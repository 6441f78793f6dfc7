import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { homedir } from "node:os";

/** What stands at a path. */
export type EntryKind = "file" | "directory" | "link" | "other";

/** What is known of this machine's files; tests replace it. */
export interface HostFacts {
  readonly home: string;
  /** Undefined where nothing stands, or nothing that can be seen. */
  kindOf(path: string): EntryKind | undefined;
  /** With all links followed; undefined where that leads nowhere. */
  realPathOf(path: string): string | undefined;
  linkOf(path: string): string | undefined;
}

/** This machine. */
export const HOST_FACTS: HostFacts = Object.freeze<HostFacts>({
  get home() {
    return homedir();
  },
  kindOf: (path) => attempt(() => toKind(path)),
  realPathOf: (path) => attempt(() => realpathSync(path)),
  linkOf: (path) => attempt(() => readlinkSync(path)),
});

function toKind(path: string): EntryKind {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return "link";
  if (stat.isDirectory()) return "directory";
  return stat.isFile() ? "file" : "other";
}

function attempt<Value>(look: () => Value): Value | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
