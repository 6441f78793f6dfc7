import * as path from "node:path";
import type { DiscoveryFileSystem } from "../discovery-ports.ts";
import type { PnpLocator, PnpPackageInformation, PnpProject } from "../locate/pnp-project.ts";
import { readPackageFacts, type InstalledPackage, type PackageGraph } from "./installed-package.ts";

/** Reads what is installed from Plug'n'Play's own tree, which is exact; archives are opened for their package.json alone. */
export function readPnpGraph(pnp: PnpProject, keys: readonly string[], fs: DiscoveryFileSystem): PackageGraph {
  const { api, issuer } = pnp;
  const wanted = new Set(keys);
  const read = createReader(pnp, fs);
  const project = api.findPackageLocator(issuer);
  const information = project === null ? null : api.getPackageInformation(project);
  const others = (api.getAllLocators?.() ?? [])
    .filter((locator) => !isSame(locator, project))
    .toSorted((a, b) => compareKeys(toKey(a), toKey(b)));
  return {
    own: information === null ? [] : readAll(information, { read, self: project, wanted }),
    others: others.map((locator) => read(locator)).filter((one) => one !== undefined),
  };
}

type Reader = (locator: PnpLocator) => InstalledPackage | undefined;

function createReader({ api }: PnpProject, fs: DiscoveryFileSystem): Reader {
  const known = new Map<string, InstalledPackage | undefined>();
  const open: Reader = (locator) => {
    const information = locator.name === null ? null : api.getPackageInformation(locator);
    if (information === null || locator.name === null) return undefined;
    const dir = path.resolve(information.packageLocation);
    const realDir = realPathOf(dir, fs);
    const facts = readPackageFacts({ dir, realDir, key: locator.name }, fs);
    if (facts === undefined) return undefined;
    const { name, version, declaresTools } = facts;
    const dependencies = (): InstalledPackage[] => readAll(information, { read, self: locator });
    return { name, version, declaresTools, dir, realDir, dependencies };
  };
  const read: Reader = (locator) => {
    const key = toKey(locator);
    if (!known.has(key)) known.set(key, open(locator));
    return known.get(key);
  };
  return read;
}

function readAll(
  { packageDependencies }: PnpPackageInformation,
  {
    read,
    self,
    wanted,
  }: { readonly read: Reader; readonly self: PnpLocator | null; readonly wanted?: ReadonlySet<string> },
): InstalledPackage[] {
  return [...packageDependencies]
    .filter(([key]) => wanted === undefined || wanted.has(key))
    .toSorted(([a], [b]) => compareKeys(a, b))
    .map(([key, target]) => toLocator(key, target))
    .filter((locator) => locator !== undefined)
    .filter((locator) => !isSame(locator, self))
    .map((locator) => read(locator))
    .filter((one) => one !== undefined);
}

/** An alias names another package; `null` is a peer that nobody provides. */
function toLocator(key: string, target: string | readonly [string, string] | null): PnpLocator | undefined {
  if (target === null) return undefined;
  return typeof target === "string" ? { name: key, reference: target } : { name: target[0], reference: target[1] };
}

/** Every package lists itself among its dependencies. */
function isSame(one: PnpLocator, other: PnpLocator | null): boolean {
  return other !== null && one.name === other.name && one.reference === other.reference;
}

function toKey({ name, reference }: PnpLocator): string {
  return `${name ?? ""}@${reference ?? ""}`;
}

function compareKeys(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function realPathOf(dir: string, fs: DiscoveryFileSystem): string {
  try {
    return fs.realpathSync(dir);
  } catch {
    return dir;
  }
}
