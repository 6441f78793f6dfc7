import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { AROUND } from "./fixtures/nine.ts";
import { publishFixtures } from "./fixtures/publish-fixtures.ts";
import { startRegistry, type RegistryAddress } from "./local-registry.ts";
import { findManagers, strangersEnvironment } from "./managers.ts";
import { packPackages } from "./pack-packages.ts";
import { runWell } from "./run.ts";
import type {} from "./world.ts";

/** Before all tests: one registry, one packing, one publishing. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "aiw-e2e-"));
  const managers = await findManagers();
  const caches = join(folder, "caches");
  const registry = await startRegistry();
  const tearDown = async (): Promise<void> => {
    await registry[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const tarballs = await packPackages(folder, managers.pnpm.command);
    for (const tarball of tarballs) await registry.publish(tarball);
    await publishFixtures(registry, tarballs);
    const globalAiw = await installGlobally(join(folder, "global"), { registry: registry.address, caches });
    project.provide("world", { registry: registry.address, managers, caches, globalAiw });
  } catch (error) {
    await tearDown();
    throw error;
  }
  return tearDown;
}

/** Installs the command as a machine's own, and a tool package beside it. */
async function installGlobally(
  prefix: string,
  { registry, caches }: { readonly registry: RegistryAddress; readonly caches: string },
): Promise<string> {
  await mkdir(prefix);
  const args = ["install", "--global", "--prefix", prefix, "--registry", registry.url, "--ignore-scripts"];
  await runWell("npm", [...args, "@aiw/cli", AROUND.name], { cwd: prefix, environment: strangersEnvironment(caches) });
  return join(prefix, "bin/aiw");
}
