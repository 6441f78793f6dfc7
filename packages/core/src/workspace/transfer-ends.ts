import { ToolError } from "../errors/tool-error.ts";
import { toNotFound } from "../confine/file-failure.ts";
import type { HeldEntry } from "../confine/held-entry.ts";
import { pathBelow, splitPath } from "../confine/resolve-path.ts";
import type { FoundPath, WalkRequest, WorkspaceAccess } from "../confine/walk-path.ts";
import type { End, Naming } from "./claim-name.ts";
import { makeParents } from "./make-directories.ts";

/** How an entry is moved. */
export interface RenameOptions {
  /** Replaces a file or link that has the new name; no unless given. A directory is never replaced. */
  readonly overwrite?: boolean;
  /** Makes missing parents of the new name inside the root; no unless given. */
  readonly createDirs?: boolean;
  /** Refuses what would be refused and counts, but changes nothing. */
  readonly dryRun?: boolean;
  /** Hears how many entries were copied, one at a time; a move on one volume copies none. */
  readonly onProgress?: (entries: number) => void;
  /** Letters and digits that names of temporary entries begin with, so that their owner finds them again. */
  readonly temporaryLabel?: string;
}

/** How an entry is copied. */
export interface CopyOptions extends RenameOptions {
  /** Copies a directory with all it holds; links in it are copied as links. */
  readonly recursive?: boolean;
}

/** The two ends of a copy or a move. */
export interface TwoPaths {
  readonly from: WalkRequest;
  readonly to: WalkRequest;
}

/** What became of a copy or a move. */
export interface TransferOutcome {
  /** Where the entry is now, absolute and free of links. */
  readonly realPath: string;
  /** Files, links and directories it is made of. */
  readonly entries: number;
}

/** The new name's directory, held, with missing parents made. */
export interface HeldEnd extends AsyncDisposable {
  readonly end: End;
}

/**
 * Refuses a new name whose parents are missing, unless they are to be made.
 * @throws ToolError `not_found`, or `protected_path` for a root.
 */
export async function refuseMissingParents(
  access: WorkspaceAccess,
  target: FoundPath,
  { shown, options }: { readonly shown: string; readonly options: RenameOptions },
): Promise<void> {
  if (target.directory === undefined) throw standsOn(shown);
  if (target.rest.length > 0 && options.createDirs !== true) throw await toNotFound(access, target, { shown });
}

/**
 * Holds where a new name goes.
 * @throws ToolError `not_found` for missing parents unless they are to be made.
 */
export async function holdEnd(
  access: WorkspaceAccess,
  target: FoundPath,
  { shown, options }: { readonly shown: string; readonly options: RenameOptions },
): Promise<HeldEnd> {
  await refuseMissingParents(access, target, { shown, options });
  if (target.directory === undefined) throw standsOn(shown);
  const names = [target.name, ...target.rest];
  const name = names.pop() ?? target.name;
  const parent = await makeParents(access, target.directory, names);
  return {
    end: { directory: parent ?? target.directory, name },
    [Symbol.asyncDispose]: async () => await parent?.[Symbol.asyncDispose](),
  };
}

/**
 * Refuses a new place that is the old one, or lies inside it.
 * @throws ToolError `invalid_path`.
 */
export function refuseOnePlace(
  access: WorkspaceAccess,
  paths: { readonly from: string; readonly to: string },
  request: TwoPaths,
): void {
  const from = splitPath(paths.from, access.platform);
  const below = pathBelow(from, splitPath(paths.to, access.platform), access.platform);
  // Another spelling of the same name is a new name.
  if (below === undefined || (below.length === 0 && paths.from !== paths.to)) return;
  const where = below.length === 0 ? "the old one" : "one inside the old";
  throw new ToolError(
    "invalid_path",
    `A new place is needed, not ${where}: ${request.from.shown} to ${request.to.shown}`,
  );
}

/** What the new name is taken for. */
export function toTaking(entry: HeldEntry, { to }: TwoPaths, options: RenameOptions): Omit<Naming, "from" | "to"> {
  return { entry, shown: to.shown, overwrite: options.overwrite === true };
}

/** The refusal to copy or move what the workspace stands on. */
export function standsOn(shown: string): ToolError {
  return new ToolError("protected_path", `The workspace itself stands on it: ${shown}`);
}
