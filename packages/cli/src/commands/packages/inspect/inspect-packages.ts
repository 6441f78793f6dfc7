import { AiwError } from "@aiw/core";
import { compareLock } from "@aiw/core/node";
import { toShown } from "../../../output/to-shown.ts";
import { findLookAlikes, OWN_NAMES } from "../find-look-alikes.ts";
import { toAddArguments } from "../manager/manager-commands.ts";
import { listDependencies, readPackageJson, type PackageProject } from "../open-package-project.ts";
import type { PackageRequest } from "../parse-request.ts";
import { SCRATCH_ENVIRONMENT, type Scratch } from "../scratch/open-scratch.ts";
import { findPackage } from "./find-package.ts";
import { openPresence } from "./find-present.ts";
import { hashPackage } from "./hash-package.ts";
import type { InspectedPackage } from "./inspected-package.ts";
import { findShadowed, listCommands, type ShadowedCommand } from "./list-commands.ts";
import { listBrought, listInstallScripts } from "./list-brought.ts";
import { readDeclared, toDeclared, type DeclaredPackages } from "./read-declared.ts";
import { readFormer, readTaken } from "./read-former.ts";
import { readRegistryFacts } from "./read-registry-facts.ts";

/** Where packages are looked at. */
export interface InspectOptions {
  readonly project: PackageProject;
  readonly scratch: Scratch;
  readonly signal: AbortSignal;
}

/**
 * Installs packages into a scratch project, without scripts, and reads what lies there; none of their code runs and the project is
 * as before. Undefined when it was interrupted.
 * @throws AiwError `package_change_failed` where the package manager cannot install them
 */
export async function inspectPackages(
  requests: readonly PackageRequest[],
  options: InspectOptions,
): Promise<InspectedPackage[] | undefined> {
  const { project, scratch, signal } = options;
  const { manager } = project;
  const specs = requests.map(({ spec }) => spec);
  const run = await manager.run(
    toAddArguments(manager.kind, { specs, field: "dependencies", isWorkspaceRoot: false }),
    { cwd: scratch.dir, signal, added: SCRATCH_ENVIRONMENT },
  );
  if (run.interrupted) return undefined;
  if (run.exitCode !== 0)
    throw new AiwError("package_change_failed", `${manager.name} cannot install it; nothing was changed. ${run.said}`, {
      fix: "Correct the name or range, or the registry's settings.",
    });
  const names = await nameInstalled(requests, scratch.dir);
  const declared = await readDeclared(scratch.dir);
  const taken = await readTaken(project);
  const known = [...listDependencies(await readPackageJson(project.dir)).keys(), ...OWN_NAMES];
  const inspected: InspectedPackage[] = [];
  for (const [name, request] of names) {
    if (signal.aborted) return undefined;
    inspected.push(await inspectOne(name, { ...options, request, declared, taken, known }));
  }
  return signal.aborted ? undefined : inspected;
}

/** Pairs keys with requests: what came from elsewhere tells its name only now. */
async function nameInstalled(requests: readonly PackageRequest[], dir: string): Promise<Map<string, PackageRequest>> {
  const installed = [...listDependencies(await readPackageJson(dir)).keys()];
  const named = new Map(requests.flatMap((one) => (one.name === undefined ? [] : [[one.name, one] as const])));
  const others = requests.filter(({ name }) => name === undefined);
  const unnamed = installed.filter((key) => !named.has(key));
  if (unnamed.length !== others.length)
    throw new AiwError("package_change_failed", "What was asked for under no name cannot be told apart.", {
      fix: "Add such packages one at a time.",
    });
  for (const [index, key] of unnamed.entries()) {
    const request = others[index];
    if (request !== undefined) named.set(key, request);
  }
  return named;
}

interface OneOptions extends InspectOptions {
  readonly request: PackageRequest;
  readonly declared: DeclaredPackages;
  readonly taken: ReadonlyMap<string, string>;
  readonly known: readonly string[];
}

async function inspectOne(name: string, options: OneOptions): Promise<InspectedPackage> {
  const { project, scratch, request } = options;
  const dir = await findPackage(name, scratch.dir);
  const content = dir === undefined ? undefined : await hashPackage(dir);
  if (dir === undefined || content === undefined)
    throw new AiwError(
      "package_change_failed",
      `${toShown(name)} was installed and cannot be read; nothing was changed.`,
      {
        fix: `Look at it: npm pack ${request.spec}`,
      },
    );
  const packageJson = await readPackageJson(dir);
  const version = String(packageJson["version"]);
  const shown = await toDeclared(name, dir, options.declared);
  const former = await readFormer(name, project);
  const present = await openPresence({
    folders: [project.dir, (await findPackage(name, project.dir)) ?? project.dir],
    roots: [...new Set([project.dir, project.root])],
    isPnp: project.isPnp,
  });
  const brings = await listBrought(dir, present);
  const commands = listCommands(packageJson);
  const registry =
    request.name === undefined
      ? undefined
      : await readRegistryFacts({ name, version }, project.manager, {
          cwd: scratch.dir,
          signal: options.signal,
          added: SCRATCH_ENVIRONMENT,
        });
  return {
    request,
    name,
    version,
    content,
    ...shown,
    scripts: listInstallScripts(dir, packageJson),
    commands,
    brings,
    ...(registry !== undefined && { registry }),
    ...(former !== undefined && { former }),
    differences:
      former?.locked === undefined || shown.locked === undefined
        ? []
        : compareLock({ packages: new Map([[name, former.locked]]) }, { packages: new Map([[name, shown.locked]]) }),
    shadowed: await findAllShadowed([{ name, commands }, ...brings], project.dir),
    lookAlikes: findLookAlikes(name, options.known),
    taken: shown.tools.flatMap((tool) => {
      const id = options.taken.get(tool.name);
      return id === undefined || id.startsWith(`${name}/`) ? [] : [{ name: tool.name, id }];
    }),
  };
}

async function findAllShadowed(
  packages: readonly { readonly name: string; readonly commands: readonly string[] }[],
  projectDir: string,
): Promise<ShadowedCommand[]> {
  const found: ShadowedCommand[] = [];
  for (const one of packages) found.push(...(await findShadowed(one, projectDir)));
  return found;
}
