import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** What a release changes or has to keep of a package.json. */
export interface ReleasedManifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** A package that is published. */
export interface ReleasedPackage {
  readonly folder: string;
  readonly manifest: ReleasedManifest;
  /** Undefined before its first release. */
  readonly changelog: string | undefined;
}

/** Every published package of a checkout, by name. */
export async function readPackages(root: string): Promise<ReadonlyMap<string, ReleasedPackage>> {
  const found = new Map<string, ReleasedPackage>();
  for (const place of ["packages", "plugins"]) {
    for (const name of (await readdir(join(root, place))).toSorted()) {
      const folder = `${place}/${name}`;
      const manifest = JSON.parse(await readFile(join(root, folder, "package.json"), "utf8")) as ReleasedManifest;
      if (manifest.private === true) continue;
      const changelog = await readFile(join(root, folder, "CHANGELOG.md"), "utf8").catch(() => undefined);
      found.set(manifest.name, { folder, manifest, changelog });
    }
  }
  return found;
}

/** The versions of some packages, by name. */
export function versionsOf(packages: ReadonlyMap<string, ReleasedPackage>): Record<string, string> {
  return Object.fromEntries([...packages].map(([name, { manifest }]) => [name, manifest.version]));
}
