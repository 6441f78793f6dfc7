import type { DirectoryEntry, Workspace } from "@aiw/core/node";
import { showName } from "../files/show-name.ts";
import type { DetectedText } from "../text/detect-text.ts";
import { detectTextAs } from "../text/detect-text.ts";
import { memorySource } from "../text/byte-source.ts";

const MOST_ENTRIES = 10_000;

/** A directory's names as a text of one line each, folders first and marked with `/`. */
export async function listDirectory(
  workspace: Workspace,
  path: string,
): Promise<{ readonly text: DetectedText; readonly isWhole: boolean }> {
  const { entries, truncated } = await workspace.readdir(path, { maxEntries: MOST_ENTRIES });
  const names = entries.toSorted(compareEntries).map(({ name, kind }) => `${showName(name)}${MARKS.get(kind) ?? ""}\n`);
  const text = await detectTextAs(memorySource(Buffer.from(names.join(""))), "utf-8");
  return { text, isWhole: !truncated };
}

const MARKS: ReadonlyMap<string, string> = new Map([
  ["directory", "/"],
  ["link", "@"],
  ["fifo", " (fifo)"],
  ["socket", " (socket)"],
  ["device", " (device)"],
]);

function compareEntries(left: DirectoryEntry, right: DirectoryEntry): number {
  const [first, second] = [left, right].map(({ kind }) => (kind === "directory" ? 0 : 1));
  if (first !== second) return (first ?? 0) - (second ?? 0);
  return left.name < right.name ? -1 : left.name > right.name ? 1 : 0;
}
