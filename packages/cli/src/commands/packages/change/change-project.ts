import { rm } from "node:fs/promises";
import { AiwError } from "@aiw/core";
import { oneLine } from "../../../output/one-line.ts";
import { findPackage } from "../inspect/find-package.ts";
import { hashPackage } from "../inspect/hash-package.ts";
import { toAddArguments, toRestoreArguments } from "../manager/manager-commands.ts";
import { listFolders, readPackageJson, type PackageProject } from "../open-package-project.ts";
import { restoreFiles, snapshotFiles, type FileSnapshot } from "./snapshot-files.ts";
import { takeTurn } from "./take-turn.ts";

/** What is to become of a project. */
export interface ProjectChange {
  readonly project: PackageProject;
  /** The package manager's arguments, of each run. */
  readonly runs: readonly (readonly string[])[];
  /** Packages it is about. */
  readonly names: readonly string[];
  readonly signal: AbortSignal;
  /** Judges what the manager did and completes it; what it throws takes all of it back. */
  complete(): Promise<void>;
  /** Tells a person what is going on. */
  say(text: string): void;
}

/** How a change ended; `interrupted` means that all is as before. */
export type ChangeEnd = "changed" | "interrupted";

/**
 * Lets the package manager change a project, whole or not at all: files are put back byte for byte, and the tree by the manager.
 * @throws AiwError `package_change_failed`, `package_change_running`, or what completing threw
 */
export async function changeProject(change: ProjectChange): Promise<ChangeEnd> {
  const { project, signal } = change;
  const turn = await takeTurn(project.root);
  try {
    if (turn.abandoned !== undefined)
      change.say(
        `An earlier change was killed half-way; package.json and lock files as they were before it: ${turn.abandoned}`,
      );
    const before = await snapshotFiles(listFolders(project), turn.keep);
    const contents = await hashAll(change);
    try {
      await runChange(change);
      return "changed";
    } catch (error) {
      change.say("Putting everything back …");
      const left = await undo(change, before, contents);
      if (left !== undefined) throw withLeftover(error, left);
      if (signal.aborted) return "interrupted";
      throw error;
    }
  } finally {
    await turn.release();
  }
}

async function runChange({ project, runs, signal, complete }: ProjectChange): Promise<void> {
  const { manager, dir } = project;
  for (const args of runs) {
    const run = await manager.run(args, { cwd: dir, signal });
    if (run.exitCode !== 0 || signal.aborted)
      throw new AiwError("package_change_failed", `${manager.name} failed${AS_BEFORE}. ${run.said}`, {
        fix: "Correct what it says, then try again.",
      });
  }
  await complete();
}

/** What was in the tree of a package; absent where it was not there. */
interface Content {
  readonly hash: string | undefined;
  readonly version: string;
}

type Contents = ReadonlyMap<string, Content | undefined>;

async function hashAll({ names, project }: Pick<ProjectChange, "names" | "project">): Promise<Contents> {
  const contents = new Map<string, Content | undefined>();
  for (const name of names) {
    const dir = await findPackage(name, project.dir);
    const version = dir === undefined ? "" : String((await readPackageJson(dir))["version"]);
    contents.set(name, dir === undefined ? undefined : { hash: (await hashPackage(dir))?.hash, version });
  }
  return contents;
}

/** Puts files and tree back; says what could not be. */
async function undo(change: ProjectChange, before: FileSnapshot, contents: Contents): Promise<string | undefined> {
  const failed = await restoreFiles(before);
  for (const tree of before.treesAbsent)
    await rm(tree, { recursive: true, force: true }).catch(() => void failed.push(tree));
  if (failed.length > 0) return `These could not be put back: ${failed.map(oneLine).join(", ")}`;
  const wasInstalled = before.treesAbsent.length < listFolders(change.project).length || change.project.isPnp;
  if (!wasInstalled || (await restoreTree(change, before, contents))) return undefined;
  const { manager, root } = change.project;
  // npm leaves what it finds where a whole new tree is needed.
  const args = manager.kind === "npm" && isLocked(before) ? "ci" : "install";
  return `package.json and the lock files are as before, and node_modules is not. Run in ${oneLine(root)}: ${manager.name} ${args}`;
}

const OFFLINE = { npm_config_offline: "true", pnpm_config_offline: "true", YARN_ENABLE_NETWORK: "0" };

/** Without the network first: what was there a moment ago is in the manager's cache. */
async function restoreTree(change: ProjectChange, before: FileSnapshot, contents: Contents): Promise<boolean> {
  const { manager, root, dir } = change.project;
  const locked = isLocked(before);
  const former = [...contents].flatMap(([name, content]) =>
    content === undefined ? [] : [`${name}@${content.version}`],
  );
  for (const offline of [true, false]) {
    // Where no file says which versions, what was there is asked for by its version.
    const args =
      locked || former.length === 0
        ? toRestoreArguments(manager.kind, { isLocked: locked, offline })
        : toAddArguments(manager.kind, {
            specs: former,
            field: "dependencies",
            isWorkspaceRoot: change.project.isWorkspaceRoot,
          });
    const run = await manager.run(args, {
      cwd: locked ? root : dir,
      // Who interrupts wants it as it was, so this is not interrupted.
      signal: new AbortController().signal,
      ...(offline && { added: OFFLINE }),
    });
    const failed = await restoreFiles(before);
    if (failed.length === 0 && run.exitCode === 0 && isEqual(await hashAll(change), contents)) return true;
  }
  return false;
}

const LOCKS = /[\\/](?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?)$/;

function isLocked({ files }: FileSnapshot): boolean {
  return [...files].some(([file, kept]) => kept.kind !== "absent" && LOCKS.test(file));
}

function isEqual(now: Contents, then: Contents): boolean {
  return [...then].every(([name, content]) => now.get(name)?.hash === content?.hash);
}

/** Said by those who throw while a change is completed, and taken back where it turns out not to be true. */
export const AS_BEFORE = "; everything is as before";

function withLeftover(error: unknown, left: string): AiwError {
  const message = error instanceof Error ? error.message : String(error);
  return new AiwError("package_change_failed", `${message.replace(AS_BEFORE, "")} ${left}`, {
    fix: left,
    cause: error,
  });
}
