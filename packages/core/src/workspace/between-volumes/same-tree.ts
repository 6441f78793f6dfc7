import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { kindOf } from "../../confine/file-facts.ts";
import { closeQuietly } from "../../confine/file-system-port.ts";
import type { HeldEntry } from "../../confine/held-entry.ts";
import type { WorkspaceAccess } from "../../confine/walk-path.ts";
import { changedMeanwhile } from "../copy-file.ts";
import { readBlocks } from "../etag.ts";
import { listWhole } from "../survey-tree.ts";

interface Held {
  readonly entry: HeldEntry;
  readonly directory: HeldEntry;
  readonly name: string;
}

/** Two trees of which the second was copied from the first. */
export interface TwoTrees {
  readonly source: Held;
  readonly copy: Held;
  /** What the caller wrote; messages name it. */
  readonly shown: string;
}

/**
 * Compares names, kinds, links' texts and the hashes of all bytes as they are on disk.
 * @throws ToolError `conflict` where they differ.
 */
export async function assertSameTree(access: WorkspaceAccess, { source, copy, shown }: TwoTrees): Promise<void> {
  access.signal?.throwIfAborted();
  const kind = kindOf(source.entry.stat);
  const differs = (): Error => changedMeanwhile(access, source.entry, shown);
  if (kind !== kindOf(copy.entry.stat)) throw differs();
  if (kind === "link") {
    const [text, copied] = await Promise.all([source, copy].map(async (held) => await readLink(access, held)));
    if (text !== copied) throw differs();
  } else if (kind === "file") {
    if ((await hashOf(access, source.entry)) !== (await hashOf(access, copy.entry))) throw differs();
  } else {
    const names = await namesOf(access, source.entry, shown);
    const copied = await namesOf(access, copy.entry, shown);
    if (names.length !== copied.length || names.some((name, index) => name !== copied[index])) throw differs();
    for (const name of names) {
      await using original = await source.entry.lookUp(name);
      await using twin = await copy.entry.lookUp(name);
      if (original === undefined || twin === undefined) throw differs();
      await assertSameTree(access, {
        source: { entry: original, directory: source.entry, name },
        copy: { entry: twin, directory: copy.entry, name },
        shown,
      });
    }
  }
}

async function readLink(access: WorkspaceAccess, { directory, name }: Held): Promise<string> {
  return await access.fs.readlink(directory.child(name));
}

async function hashOf(access: WorkspaceAccess, entry: HeldEntry): Promise<string> {
  const handle = await entry.open(constants.O_RDONLY);
  try {
    const hash = createHash("sha256");
    for await (const block of readBlocks(handle, access)) hash.update(block);
    return hash.digest("hex");
  } finally {
    await closeQuietly(handle);
  }
}

async function namesOf(access: WorkspaceAccess, entry: HeldEntry, shown: string): Promise<string[]> {
  return (await listWhole(access, entry, shown)).map(({ name }) => name).toSorted();
}
