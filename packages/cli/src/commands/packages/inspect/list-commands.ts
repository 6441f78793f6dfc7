import { existsSync } from "node:fs";
import * as path from "node:path";
import { isRecord, readPackageJson, type JsonRecord } from "../open-package-project.ts";
import { findPackage } from "./find-package.ts";

/** A command that would answer in place of another one, by the package that has it. */
export interface ShadowedCommand {
  readonly command: string;
  readonly package: string;
}

/** Programs that people and scripts call by name, with the package that may bring them. */
const WELL_KNOWN: ReadonlyMap<string, string> = new Map([
  ["aiw", "@aiw/cli"],
  ["bash", ""],
  ["bun", "bun"],
  ["bunx", "bun"],
  ["corepack", "corepack"],
  ["curl", ""],
  ["docker", ""],
  ["git", ""],
  ["node", "node"],
  ["npm", "npm"],
  ["npx", "npm"],
  ["pnpm", "pnpm"],
  ["pnpx", "pnpm"],
  ["python", ""],
  ["python3", ""],
  ["sh", ""],
  ["ssh", ""],
  ["yarn", "yarn"],
  ["yarnpkg", "yarn"],
]);

/** Names that a package puts into `node_modules/.bin`, where scripts and `npx` look first. */
export function listCommands({ name, bin }: JsonRecord): string[] {
  if (typeof bin === "string") return typeof name === "string" ? [name.slice(name.indexOf("/") + 1)] : [];
  return isRecord(bin) ? Object.keys(bin).toSorted() : [];
}

/** Finds commands of a package that would stand before a program that everybody knows, or another package's command. */
export async function findShadowed(
  { name, commands }: { readonly name: string; readonly commands: readonly string[] },
  projectDir: string,
): Promise<ShadowedCommand[]> {
  if (commands.length === 0) return [];
  const dir = await findPackage(name, projectDir);
  const own = dir === undefined ? [] : listCommands(await readPackageJson(dir));
  return commands
    .filter((command) => !own.includes(command) && isTaken(command, name, projectDir))
    .map((command) => ({ command, package: name }));
}

function isTaken(command: string, name: string, projectDir: string): boolean {
  const owner = WELL_KNOWN.get(command);
  if (owner !== undefined) return owner !== name;
  return existsSync(path.join(projectDir, "node_modules/.bin", path.basename(command)));
}
