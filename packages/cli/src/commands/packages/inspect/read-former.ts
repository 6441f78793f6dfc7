import { AiwError } from "@aiw/core";
import { createLock, createTrustStore, listTools, readLock, type LockedPackage } from "@aiw/core/node";
import { readPackageJson, type PackageProject } from "../open-package-project.ts";
import { findPackage } from "./find-package.ts";
import { hashPackage } from "./hash-package.ts";
import type { FormerPackage } from "./inspected-package.ts";

/** Says what of a package the project has now; undefined where it has none. */
export async function readFormer(name: string, project: PackageProject): Promise<FormerPackage | undefined> {
  const locked = await readInstalled(name, project);
  const dir = await findPackage(name, project.dir);
  const version = dir === undefined ? locked?.version : (await readPackageJson(dir))["version"];
  if (typeof version !== "string") return undefined;
  return {
    version,
    content: dir === undefined ? undefined : await hashPackage(dir),
    ...(locked !== undefined && { locked }),
  };
}

/** What is installed rather than what is pinned, which counts where the installed one cannot be read. */
async function readInstalled(name: string, { dir }: PackageProject): Promise<LockedPackage | undefined> {
  try {
    // Of one package: what is broken elsewhere is not asked for here.
    const environment = { AIWHISPERER_PLUGINS: name };
    const created = await createLock(
      { projectDir: dir, production: false },
      { environment, trust: { isTrusted: () => false } },
    );
    return created.lock.packages.get(name);
  } catch (error) {
    if (!AiwError.is(error)) throw error;
  }
  try {
    return readLock(dir)?.packages.get(name);
  } catch (error) {
    if (AiwError.is(error)) return undefined;
    throw error;
  }
}

/** Tool names of the project with the full id that answers to each; none where its tools cannot be listed. */
export async function readTaken({ dir, environment }: PackageProject): Promise<ReadonlyMap<string, string>> {
  try {
    const { AIWHISPERER_FROZEN: _frozen, ...rest } = environment;
    const { entries } = await listTools(
      { projectDir: dir },
      { environment: rest, trust: createTrustStore({ environment }) },
    );
    return new Map(entries.map(({ name, id }) => [name, id]));
  } catch (error) {
    if (AiwError.is(error)) return new Map();
    throw error;
  }
}
