import { basename } from "node:path";
import { ToolError } from "@aiw/core";
import type { FileStat, Workspace } from "@aiw/core/node";
import { filesystemError } from "../errors.ts";
import { showName } from "../files/show-name.ts";
import { explainTransfer } from "./explain-transfer.ts";
import { findEntry, type FoundEntry } from "./find-entry.ts";
import type { TransferCall } from "./transfer-schema.ts";

/** A move or a copy that can be made as things are. */
export interface TransferPlan {
  readonly source: FoundEntry;
  /** The path to use. */
  readonly to: string;
  /** As results name it. */
  readonly toShown: string;
  /** Absolute and free of links. */
  readonly toRealPath: string;
  readonly entries: number;
  readonly notices: readonly string[];
}

/**
 * Decides what goes where, and tries it without a change.
 * @throws ToolError for what cannot be made, with a call that can.
 */
export async function planTransfer(workspace: Workspace, call: TransferCall): Promise<TransferPlan> {
  const { tool, input } = call;
  const options = { overwrite: input.overwrite, createDirs: input.create_dirs, dryRun: true };
  let known = { to: input.to, isFound: false };
  try {
    if (tool === "move") await workspace.assertMayWrite(input.from, { lastLink: "none" });
    await workspace.assertMayWrite(input.to, { lastLink: "none" });
    const source = await findEntry(workspace, input.from);
    known = { ...known, isFound: true };
    const target = await findTarget(workspace, source, input.to);
    known = { ...known, to: target.path };
    const outcome =
      tool === "move"
        ? await workspace.rename(source.path, target.path, options)
        : await workspace.copy(source.path, target.path, { ...options, recursive: call.input.recursive });
    const isLink = source.kind === "link";
    const done = tool === "move" ? "moved" : "copied";
    return {
      source,
      to: target.path,
      toShown: workspace.display(workspace.resolve(target.path)),
      toRealPath: outcome.realPath,
      entries: outcome.entries,
      notices: [
        ...source.notices,
        ...(target.folder === undefined ? [] : [`${showName(target.folder)} is a folder, so it was ${done} into it.`]),
        ...(isLink ? [`${showName(source.shown)} is a link; the link itself was ${done}, not what it leads to.`] : []),
      ],
    };
  } catch (error) {
    throw ToolError.is(error) ? explainTransfer(error, call, known) : error;
  }
}

interface Target {
  readonly path: string;
  /** The folder that takes it in, unless the path said so itself. */
  readonly folder?: string;
}

/** As people use such commands: a folder takes things in, and so does a path that ends in a separator. */
async function findTarget(workspace: Workspace, source: FoundEntry, to: string): Promise<Target> {
  const separators = process.platform === "win32" ? /[/\\]+$/u : /\/+$/u;
  const endsOpen = separators.test(to);
  const there = await statIfThere(workspace, to);
  const name = basename(workspace.resolve(source.path));
  const within = `${to.replace(separators, "")}/${name}`;
  if (there?.kind === "directory") {
    // Another spelling of the folder's own name is its new name.
    if (there.identity === source.identity) return { path: to };
    return { path: within, ...(!endsOpen && { folder: workspace.display(workspace.resolve(to)) }) };
  }
  if (!endsOpen) return { path: to };
  if (there !== undefined) throw filesystemError("not_a_directory", `Not a directory: ${to}`);
  return { path: source.kind === "directory" ? to : within };
}

async function statIfThere(workspace: Workspace, path: string): Promise<FileStat | undefined> {
  try {
    return await workspace.stat(path);
  } catch (error) {
    if (ToolError.is(error) && error.code === "not_found") return undefined;
    throw error;
  }
}
