import { homedir } from "node:os";
import { resolve } from "node:path";
import type { WorkspaceRoots } from "../contract/tool-context.ts";
import { ToolError } from "../errors/tool-error.ts";
import { toOneLine } from "../schema/to-one-line.ts";
import type { FileFacts } from "../confine/file-facts.ts";
import { toFileFailure } from "../confine/file-failure.ts";
import { nodeFileSystem, type FileSystemPort } from "../confine/file-system-port.ts";
import type { RaceProtection } from "../confine/held-entry.ts";
import { copyEntry } from "./copy-entry.ts";
import { makeDirectory, type MakeDirectoryOptions } from "./make-directories.ts";
import { makeLink, type MakeLinkOptions } from "./make-link.ts";
import { makeSecondName } from "./make-second-name.ts";
import { moveEntry } from "./move-entry.ts";
import {
  openInRoot,
  readInRoot,
  readLinkInRoot,
  realPathInRoot,
  statInRoot,
  type OpenedFile,
  type ReadFile,
} from "./open-in-root.ts";
import { openRoots } from "../confine/open-roots.ts";
import { readAccessRules } from "../confine/access-rules.ts";
import { findKeptPlaces } from "./kept-places.ts";
import { readDirectory, type DirectoryListing, type ReadDirectoryOptions } from "./read-directory.ts";
import { removeEntry, type RemoveOptions } from "./remove-entry.ts";
import { displayPath, joinNames, resolvePath, splitPath } from "../confine/resolve-path.ts";
import { walkPath, type WalkRequest, type WorkspaceAccess } from "../confine/walk-path.ts";
import type { FileContent } from "./stage-temporary.ts";
import type { CopyOptions, RenameOptions, TransferOutcome } from "./transfer-ends.ts";
import { writeAtomically, type WriteOptions, type WriteOutcome } from "./write-atomically.ts";

/** How a workspace is opened. */
export interface OpenWorkspaceOptions {
  /** Ends any operation that has not taken effect yet. */
  readonly signal?: AbortSignal;
  /** What `~` stands for; the user's home unless given. */
  readonly home?: string;
  /** Forces the weaker protection, as on systems that have no better. */
  readonly raceProtection?: "narrowed";
  /** The disk; the real one unless given. */
  readonly fileSystem?: FileSystemPort;
}

/** How a file is read. */
export interface ReadFileOptions {
  /** Above this many bytes the file is `too_large`. */
  readonly maxBytes: number;
}

/** How a file is opened for reading. */
export interface OpenFileOptions {
  /** Looks for names like one that is missing, for the suggestion; yes unless given. */
  readonly suggests?: boolean;
  /** What becomes of a link in the last place; followed unless given, else `not_regular_file`. */
  readonly lastLink?: WalkRequest["lastLink"];
}

/** Facts of an entry and where it really is. */
export interface FileStat extends FileFacts {
  /** Absolute and free of links. */
  readonly realPath: string;
}

/**
 * Files inside the host's roots and nowhere else, whatever links and other processes do.
 * Paths are absolute, or relative to the working directory. Every failure is a `ToolError` that names the path as it was given,
 * save an abort, which throws the signal's reason.
 */
export interface Workspace extends AsyncDisposable {
  /** Whether another process could still win a race between check and use. */
  readonly raceProtection: RaceProtection;
  /** Makes a path absolute by its text alone, touching nothing. */
  resolve(path: string): string;
  /** Shows an absolute path from the working directory with `/` when inside it, else whole. */
  display(path: string): string;
  /** Whether there is any rule that `isDenied` speaks of. */
  readonly hasDenials: boolean;
  /** Whether a rule keeps what stands at an absolute path without links from tools; for paths that others found. */
  isDenied(realPath: string): boolean;
  /**
   * Throws what a rule says against writing at a path, whether or not anything stands there; looks at nothing else.
   * `lastLink` is `none` for what acts on a link itself.
   */
  assertMayWrite(path: string, options?: { readonly lastLink?: WalkRequest["lastLink"] }): Promise<void>;
  /** Opens a regular file for reading; links are followed unless told otherwise, and `suggests: false` spares looking for names like one that is missing. */
  open(path: string, options?: OpenFileOptions): Promise<OpenedFile>;
  /** Reads a whole regular file, links followed. */
  readFile(path: string, options: ReadFileOptions): Promise<ReadFile>;
  /** Tells where a path leads, links followed, whether or not anything stands there. */
  realPath(path: string): Promise<string>;
  /** Tells what a path leads to, links followed; `suggests` as for `open`. */
  stat(path: string, options?: { readonly suggests?: boolean }): Promise<FileStat>;
  /** Tells what a path names, a link in the last place not followed; `suggests` as for `open`. */
  lstat(path: string, options?: { readonly suggests?: boolean }): Promise<FileStat>;
  /** Gives the text of a link, which may name anything. */
  readlink(path: string): Promise<string>;
  /** Lists a directory. */
  readdir(path: string, options?: ReadDirectoryOptions): Promise<DirectoryListing>;
  /** Writes a whole file so that readers see the old content or the new; text is written as UTF-8, a function gives blocks, and anew each time. */
  writeFile(path: string, content: Uint8Array | string | FileContent, options?: WriteOptions): Promise<WriteOutcome>;
  /** Makes a symbolic link with this text. */
  symlink(target: string, path: string, options?: MakeLinkOptions): Promise<{ readonly realPath: string }>;
  /** Gives a regular file one more name; tells whether the volume knows such names. */
  link(existing: string, path: string): Promise<{ readonly isLinked: boolean }>;
  /** Makes a directory. */
  mkdir(
    path: string,
    options?: MakeDirectoryOptions,
  ): Promise<{ readonly created: boolean; readonly realPath: string }>;
  /** Removes a file, a link or a directory, never following links. */
  remove(path: string, options?: RemoveOptions): Promise<{ readonly removed: number }>;
  /** Gives an entry another name, never following links in the last place; copied, compared and removed between volumes. */
  rename(from: string, to: string, options?: RenameOptions): Promise<TransferOutcome>;
  /** Makes an entry a second time, whole or not at all, links as links. */
  copy(from: string, to: string, options?: CopyOptions): Promise<TransferOutcome>;
}

/**
 * Opens the confined workspace of a call; dispose of it, or declare it with `await using`.
 * @throws ToolError when a root cannot be opened or a rule not be read; a root that does not exist grants nothing and fails at use.
 */
export async function openWorkspace(workspace: WorkspaceRoots, options: OpenWorkspaceOptions = {}): Promise<Workspace> {
  const home = options.home ?? homedir();
  const access = await openAccess(workspace, { ...options, home }).catch((error: unknown) => {
    throw toFileFailure(error, "the workspace folder");
  });
  const { roots, platform } = access;
  const rules = { cwd: workspace.cwd, home, platform };
  const running = new Set<Promise<unknown>>();
  let isClosed = false;
  /** Remembers what runs: a root's handle may not be closed, and its number reused, under an operation. */
  async function run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const shown = toOneLine(name);
    if (isClosed) throw new ToolError("io_error", `The workspace is closed: ${shown}`, { retryable: false });
    const operation = work();
    running.add(operation);
    try {
      return await operation;
    } catch (error) {
      throw toFileFailure(error, shown);
    } finally {
      running.delete(operation);
    }
  }
  const request = (path: string, intent: WalkRequest["intent"]): WalkRequest => {
    return { path: resolvePath(path, rules), shown: toOneLine(path), lastLink: "follow", intent };
  };
  const toRead = (path: string): WalkRequest => request(path, "read");
  const toWrite = (path: string): WalkRequest => request(path, "write");

  return {
    raceProtection: roots.raceProtection,
    resolve: (path) => resolvePath(path, rules),
    display: access.display,
    hasDenials: access.rules.hasDenials,
    isDenied: (realPath) => access.rules.refusal(splitPath(realPath, platform), "read") !== undefined,
    assertMayWrite: async (path, { lastLink = "follow" } = {}) => {
      await run(
        path,
        async () => await (await walkPath(access, { ...toWrite(path), lastLink }))[Symbol.asyncDispose](),
      );
    },
    open: async (path, how) => await run(path, async () => await openInRoot(access, { ...toRead(path), ...how })),
    readFile: async (path, { maxBytes }) =>
      await run(path, async () => await readInRoot(access, toRead(path), maxBytes)),
    realPath: async (path) => await run(path, async () => await realPathInRoot(access, toRead(path))),
    stat: async (path, { suggests } = {}) =>
      await run(path, async () => await statInRoot(access, { ...toRead(path), suggests })),
    lstat: async (path, { suggests } = {}) =>
      await run(path, async () => await statInRoot(access, { ...toRead(path), lastLink: "none", suggests })),
    readlink: async (path) => await run(path, async () => await readLinkInRoot(access, toRead(path))),
    readdir: async (path, how) => await run(path, async () => await readDirectory(access, toRead(path), how)),
    writeFile: async (path, given, how = {}) => {
      const content = typeof given === "string" ? new TextEncoder().encode(given) : given;
      return await run(path, async () => await writeAtomically(access, toWrite(path), { content, options: how }));
    },
    symlink: async (target, path, how) =>
      await run(path, async () => await makeLink(access, toWrite(path), { ...how, target })),
    link: async (existing, path) =>
      await run(path, async () => await makeSecondName(access, toWrite(existing), toWrite(path))),
    mkdir: async (path, how) => await run(path, async () => await makeDirectory(access, toWrite(path), how)),
    remove: async (path, how) => await run(path, async () => await removeEntry(access, toWrite(path), how)),
    rename: async (from, to, how) => {
      return await run(
        `${from} to ${to}`,
        async () => await moveEntry(access, { from: toWrite(from), to: toWrite(to) }, how),
      );
    },
    copy: async (from, to, how) => {
      return await run(
        `${from} to ${to}`,
        async () => await copyEntry(access, { from: toRead(from), to: toWrite(to) }, how),
      );
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      await Promise.allSettled(running);
      await roots[Symbol.asyncDispose]();
    },
  };
}

async function openAccess(
  workspace: WorkspaceRoots,
  options: OpenWorkspaceOptions & { readonly home: string },
): Promise<WorkspaceAccess> {
  const { platform } = process;
  const { home, raceProtection, signal, fileSystem: fs = nodeFileSystem } = options;
  const roots = await openRoots(workspace, { fileSystem: fs, platform, ...(raceProtection && { raceProtection }) });
  try {
    const kept = findKeptPlaces();
    const rules = await readAccessRules(workspace, { fileSystem: fs, platform, roots, home, kept });
    const bases = [workspace.cwd, roots.realCwd];
    const display = (path: string): string => displayPath(path, bases, platform);
    const given = workspace.roots.map((root) => roots.toRealNames(splitPath(resolve(root), platform)));
    const anchors = [...bases, home, ...[...given, ...rules.linked].map((names) => joinNames(names, platform))];
    return { fs, roots, rules, platform, anchors, signal, display };
  } catch (error) {
    await roots[Symbol.asyncDispose]();
    throw error;
  }
}
