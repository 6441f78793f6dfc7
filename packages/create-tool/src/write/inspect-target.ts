import { lstatSync, readdirSync, type Stats } from "node:fs";
import { resolve } from "node:path";
import { failure, type CreateError } from "../create-error.ts";
import { oneLine } from "../names/plain-text.ts";

/** Where the package goes. */
export interface Target {
  /** Absolute. */
  readonly dir: string;
  /** The folder is there, and the package's files go into it one by one. */
  readonly exists: boolean;
}

/** What a folder may hold and still count as empty. */
const IGNORED: ReadonlySet<string> = new Set([".git", ".DS_Store", "Thumbs.db", ".idea", ".vscode"]);
const SHOWN = 8;

/**
 * Looks at the folder a package is wanted in, and touches nothing.
 * @throws CreateError with exit code 1 when something is there that must not be changed.
 */
export function inspectTarget(directory: string, place: { readonly cwd: string; readonly force: boolean }): Target {
  const dir = resolve(place.cwd, directory);
  const shown = oneLine(directory);
  const facts = look(dir, shown);
  if (facts === undefined) return { dir, exists: false };
  if (facts.isSymbolicLink()) throw failure(`${shown} is a link.`, { fix: "Name the folder itself, or another one." });
  if (!facts.isDirectory()) throw failure(`${shown} is there and is no folder.`, { fix: "Name another folder." });
  const names = readdirSync(dir)
    .filter((name) => !IGNORED.has(name))
    .toSorted();
  if (names.includes("package.json"))
    throw failure(`${shown} has a package.json: a package is there already.`, { fix: "Name another folder." });
  if (names.length > 0 && !place.force) throw notEmpty(shown, names);
  return { dir, exists: true };
}

function look(dir: string, shown: string): Stats | undefined {
  try {
    return lstatSync(dir, { throwIfNoEntry: false });
  } catch (cause) {
    const why = cause instanceof Error ? oneLine(cause.message) : "";
    throw failure(`${shown} cannot be looked at: ${why}.`, { fix: "Name another folder.", cause });
  }
}

function notEmpty(shown: string, names: readonly string[]): CreateError {
  const listed = names.slice(0, SHOWN).map((name) => `  ${oneLine(name)}`);
  const more = names.length > SHOWN ? [`  and ${names.length - SHOWN} more`] : [];
  return failure([`${shown} is not empty:`, ...listed, ...more].join("\n"), {
    fix: "Name another folder, or add to this one with --force, which changes none of its files.",
  });
}
