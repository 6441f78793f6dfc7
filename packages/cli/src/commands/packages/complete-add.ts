import { AiwError, type Finding } from "@aiw/core";
import { createTrustStore, listTools, readLock, writeLock, type AiwLock, type LockedPackage } from "@aiw/core/node";
import { toShown } from "../../output/to-shown.ts";
import { AS_BEFORE } from "./change/change-project.ts";
import { readArchiveHash } from "./change/compare-archives.ts";
import { findPackage } from "./inspect/find-package.ts";
import { hashPackage } from "./inspect/hash-package.ts";
import type { InspectedPackage } from "./inspect/inspected-package.ts";
import { listDependencies, readPackageJson, type PackageProject } from "./open-package-project.ts";

/** What was installed, beside what was shown. */
export interface CompleteOptions {
  readonly project: PackageProject;
  /** Where the packages lay that were shown. */
  readonly shownIn: string;
  readonly inspected: readonly InspectedPackage[];
}

/**
 * Compares what was installed with what was shown, and pins it in a lock that is there; what else the lock pins stays as it is.
 * @throws AiwError `package_change_failed`, `lock_invalid`, `lock_not_writable`
 */
export async function completeAdd({ project, shownIn, inspected }: CompleteOptions): Promise<void> {
  const keys = listDependencies(await readPackageJson(project.dir));
  for (const one of inspected) {
    if (!keys.has(one.name)) throw refuse(`${one.name} is not in package.json after ${project.manager.name} had ended`);
    await (project.isPnp ? assertSameArchive(one, project, shownIn) : assertSameFiles(one, project));
  }
  // Read now: another process may have had its turn since it was looked at.
  const lock = readLock(project.dir);
  if (lock === undefined) return;
  writeLock(project.dir, pin(lock, inspected));
  if (!project.isPnp) await assertHolds(project, inspected);
}

async function assertSameFiles(
  { name, version, content }: InspectedPackage,
  { dir, manager }: PackageProject,
): Promise<void> {
  const found = await findPackage(name, dir);
  if (found === undefined) throw refuse(`${name} is not there after ${manager.name} had ended`);
  const installed = (await readPackageJson(found))["version"];
  if (installed !== version)
    throw refuse(
      `${manager.name} installed ${name} ${toShown(String(installed))}, and ${toShown(version)} was shown`,
      `Say the version: aiw add ${name}@${toShown(version)}`,
    );
  if ((await hashPackage(found))?.hash !== content.hash) throw refuse(describeOther(name, version));
}

/** Packages stay in archives, of which the lock file names the bytes. */
async function assertSameArchive(one: InspectedPackage, { root }: PackageProject, shownIn: string): Promise<void> {
  const [shown, installed] = [await readArchiveHash(shownIn, one), await readArchiveHash(root, one)];
  if (shown === undefined || installed === undefined)
    throw refuse(
      `The lock file does not tell the bytes of ${one.name}, so nobody could compare them with what was shown`,
    );
  if (shown !== installed) throw refuse(describeOther(one.name, one.version));
}

function describeOther(name: string, version: string): string {
  return `What was installed as ${name} ${toShown(version)} has other files than what was shown`;
}

function refuse(what: string, fix = "Look again: run the same command once more."): AiwError {
  return new AiwError("package_change_failed", `${what}${AS_BEFORE}.`, { fix });
}

/** What cannot be pinned is not: a former pin would be another package's. */
function pin({ packages }: AiwLock, inspected: readonly InspectedPackage[]): AiwLock {
  const next = new Map<string, LockedPackage>(packages);
  for (const { name, locked } of inspected) {
    if (locked === undefined) next.delete(name);
    else next.set(name, locked);
  }
  return { packages: next };
}

/** The lock would refuse at the next start what was just pinned, so it is asked now. */
async function assertHolds(
  { dir, environment }: PackageProject,
  inspected: readonly InspectedPackage[],
): Promise<void> {
  const { AIWHISPERER_FROZEN: _frozen, ...rest } = environment;
  const names = new Set(inspected.filter(({ locked }) => locked !== undefined).map(({ name }) => name));
  const isOff = (one: Finding): boolean => names.has(one.package) && one.code.startsWith("lock_");
  const { report } = await listTools(
    { projectDir: dir, config: { discovery: { frozen: false } } },
    { environment: rest, trust: createTrustStore({ environment }) },
  ).catch((error: unknown) => {
    // Something else of the project keeps its tools from being listed; it did before.
    if (AiwError.is(error)) return { report: undefined };
    throw error;
  });
  const off =
    report === undefined ? undefined : [...report.notEnabled, ...report.missing, ...report.rejected].find(isOff);
  if (off !== undefined) throw refuse(`The lock does not hold for ${off.package}: ${off.reason}`);
}
