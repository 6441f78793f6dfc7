import { readdir, readFile } from "node:fs/promises";
import * as path from "node:path";
import { readPackageJson } from "../open-package-project.ts";
import { findPackage } from "./find-package.ts";

/** Says whether a version of a package is installed in a project; undefined where that cannot be told. */
export type Presence = (name: string, version: string) => Promise<boolean | undefined>;

/** Where and how a project's packages lie. */
export interface PresenceOptions {
  /** Folders from which Node would find them: the project's, and those of what is there already. */
  readonly folders: readonly string[];
  /** Folders whose `node_modules` may have a store: the project's and its workspace's. */
  readonly roots: readonly string[];
  /** No `node_modules` tells what is installed. */
  readonly isPnp: boolean;
}

/** Folders of `node_modules` in which managers keep each package once: pnpm, bun, and Yarn with pnpm's layout. */
const STORES = [".pnpm", ".bun", ".store"];

/** Looks once at how a project's packages lie; most of what is there through others only a manager's store tells. */
export async function openPresence({ folders, roots, isPnp }: PresenceOptions): Promise<Presence> {
  const stores = isPnp ? [] : (await Promise.all(roots.map(readStore))).flat();
  const isKnown = !isPnp && !(await Promise.all(roots.map(isStoredElsewhere))).includes(true);
  return async (name, version) => {
    for (const folder of folders) {
      const there = await findPackage(name, folder);
      if (there !== undefined && (await readPackageJson(there))["version"] === version) return true;
    }
    if (stores.some((entry) => isEntryOf(entry, name, version))) return true;
    return isKnown ? false : undefined;
  };
}

async function readStore(root: string): Promise<string[]> {
  const lists = STORES.map((store) => readdir(path.join(root, "node_modules", store)).catch(() => []));
  return (await Promise.all(lists)).flat();
}

/** `@acme+x@1.0.0_zod@4.0.0`, `x@1.0.0(zod@4.0.0)`, and Yarn's `@acme-x-npm-1.0.0-8a7c…`. */
function isEntryOf(entry: string, name: string, version: string): boolean {
  const plain = `${name.replace("/", "+")}@${version}`;
  if (entry === plain || ["_", "(", "+"].some((end) => entry.startsWith(plain + end))) return true;
  return entry.startsWith(`${name.replace("/", "-")}-npm-${version}-`);
}

/** A store that projects share has more than this one's packages. */
async function isStoredElsewhere(root: string): Promise<boolean> {
  const folder = path.join(root, "node_modules");
  const text = await readFile(path.join(folder, ".modules.yaml"), "utf8").catch(() => "");
  const said = /^\s*"?virtualStoreDir"?:\s*("(?:[^"\\]|\\.)*"|[^\s,]+)/m.exec(text)?.[1];
  if (said === undefined) return false;
  const named = said.startsWith('"') ? said.slice(1, -1).replaceAll("\\\\", "\\") : said;
  return path.resolve(folder, named) !== path.join(folder, ".pnpm");
}
