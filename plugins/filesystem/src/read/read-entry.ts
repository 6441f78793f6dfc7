import { ToolError } from "@aiw/core";
import type { FileStat, OpenedFile, Workspace } from "@aiw/core/node";
import { findVariant } from "../files/name-variants.ts";
import { explainLink } from "../files/explain-link.ts";
import { showName } from "../files/show-name.ts";
import type { WindowRequest } from "../text/read-window.ts";
import type { FileView } from "./file-report.ts";
import { listDirectory } from "./list-directory.ts";
import { readOpened } from "./read-opened.ts";
import type { ReadScope } from "./read-scope.ts";
import { readText } from "./read-text.ts";

/** An entry that exists. */
export interface FoundEntry {
  /** As results name it. */
  readonly shown: string;
  readonly stat: FileStat;
  /** The name found instead of the one asked for. */
  readonly variant?: string;
}

const ATTEMPTS = 3;

/** Finds an entry, by a look-alike name if there is none of the very name. */
export async function findEntry(workspace: Workspace, path: string): Promise<FoundEntry> {
  const shown = workspace.display(workspace.resolve(path));
  try {
    return { shown, stat: await workspace.stat(path) };
  } catch (error) {
    if (!ToolError.is(error) || error.code !== "not_found") throw error;
    const variant = await findVariant(workspace, path).catch(ignoreToolError);
    if (variant === undefined) throw await explainLink(workspace, path, error);
    const stat = await workspace.stat(variant);
    return { shown, stat, variant: workspace.display(variant) };
  }
}

/** The missing name is the better story when the search for its look-alikes fails. */
function ignoreToolError(error: unknown): undefined {
  if (!ToolError.is(error)) throw error;
}

/** Reads a window of an entry, whatever it is. */
export async function readEntry(entry: FoundEntry, request: WindowRequest, scope: ReadScope): Promise<FileView> {
  const view =
    entry.stat.kind === "directory"
      ? await readFolder(entry, request, scope)
      : await readRegular(entry, request, scope);
  if (entry.variant === undefined) return view;
  return { ...view, report: { ...view.report, resolved_path: entry.variant } };
}

async function readFolder(
  { shown, stat, variant }: FoundEntry,
  request: WindowRequest,
  { workspace }: ReadScope,
): Promise<FileView> {
  const { text, isWhole } = await listDirectory(workspace, variant ?? shown);
  const { facts, body } = await readText(text, { ...request, lineNumbers: false });
  const isEmpty = text.source.size === 0;
  return {
    report: {
      path: shown,
      ...facts,
      kind: "directory",
      mtime_ms: Math.round(stat.mtimeMs),
      ...(!isWhole && { total_lines_exact: false as const }),
    },
    body: isEmpty ? ["[directory is empty]"] : body,
    notices: [`${showName(shown)} is a directory: its entries are listed.`],
  };
}

async function readRegular(entry: FoundEntry, request: WindowRequest, scope: ReadScope): Promise<FileView> {
  for (let attempt = 1; ; attempt += 1) {
    await using file = await scope.workspace.open(entry.variant ?? entry.shown);
    const before = await fingerprint(file);
    const read = await readOpened(file, { shown: entry.shown, request, scope });
    const isSteady = before === (await fingerprint(file));
    if (isSteady) return read;
    if (attempt === ATTEMPTS) {
      const notices = [
        ...read.notices,
        `${showName(entry.shown)} changed while it was read; what is shown may mix old and new.`,
      ];
      const { mark: _mark, ...unmarked } = read;
      return { ...unmarked, notices };
    }
  }
}

/** Everything that a write to the file changes. */
async function fingerprint({ handle }: OpenedFile): Promise<string> {
  const { size, mtimeNs, ctimeNs } = await handle.stat({ bigint: true });
  return `${size}:${mtimeNs}:${ctimeNs}`;
}
