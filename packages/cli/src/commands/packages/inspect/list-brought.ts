import { existsSync } from "node:fs";
import * as path from "node:path";
import { isRecord, readPackageJson, type JsonRecord } from "../open-package-project.ts";
import { findPackage } from "./find-package.ts";
import type { Presence } from "./find-present.ts";
import { listCommands } from "./list-commands.ts";

/** A package that another one brings along. */
export interface BroughtPackage {
  readonly name: string;
  readonly version: string;
  /** The project has not got this version; null where that cannot be told. */
  readonly isNew: boolean | null;
  /** Scripts it wants to run while it is installed. */
  readonly scripts: readonly string[];
  /** Names it puts into `node_modules/.bin`. */
  readonly commands: readonly string[];
}

/** Packages that are followed. */
const MAX_PACKAGES = 5000;

/** Lists what an installed package brings, itself left out, sorted by name. */
export async function listBrought(dir: string, isPresent: Presence): Promise<BroughtPackage[]> {
  const seen = new Set([dir]);
  const open = [dir];
  const brought: BroughtPackage[] = [];
  for (let at = open.pop(); at !== undefined && seen.size < MAX_PACKAGES; at = open.pop()) {
    const packageJson = await readPackageJson(at);
    if (at !== dir) brought.push(await describe(at, packageJson, isPresent));
    for (const name of listNeeded(packageJson)) {
      const found = await findPackage(name, at);
      if (found === undefined || seen.has(found)) continue;
      seen.add(found);
      open.push(found);
    }
  }
  return brought.toSorted((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1));
}

async function describe(dir: string, packageJson: JsonRecord, isPresent: Presence): Promise<BroughtPackage> {
  const [name, version] = [String(packageJson["name"]), String(packageJson["version"])];
  const present = await isPresent(name, version);
  const isNew = present === undefined ? null : !present;
  return { name, version, isNew, scripts: listInstallScripts(dir, packageJson), commands: listCommands(packageJson) };
}

function listNeeded(packageJson: JsonRecord): string[] {
  return ["dependencies", "optionalDependencies", "peerDependencies"].flatMap((field) => {
    const map = packageJson[field];
    return isRecord(map) ? Object.keys(map) : [];
  });
}

/** Scripts a manager would run when it installs the package; a binding.gyp alone is one. */
export function listInstallScripts(dir: string, { scripts, gypfile }: JsonRecord): string[] {
  const own = isRecord(scripts) ? scripts : {};
  const named = ["preinstall", "install", "postinstall"].filter((name) => typeof own[name] === "string");
  const compiles = gypfile !== false && existsSync(path.join(dir, "binding.gyp"));
  return named.includes("install") || !compiles ? named : [...named, "node-gyp rebuild"];
}
