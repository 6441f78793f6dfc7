import { existsSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const PACKAGES = join(import.meta.dirname, "../../..");
const ROOT = join(PACKAGES, "..");

/** Installs what a scaffolded package depends on by links to this workspace, which fetches nothing; the workspace has to be built. */
export async function linkWorkspace(dir: string): Promise<void> {
  const modules = join(dir, "node_modules");
  const foreign = {
    "@types/node": join(ROOT, "node_modules/@types/node"),
    typescript: join(ROOT, "node_modules/typescript"),
    vitest: join(ROOT, "node_modules/vitest"),
    zod: packageFolder("zod", join(PACKAGES, "testkit/package.json")),
  };
  const own = ["core", "cli", "compiler", "testkit"].map((name) => [`@aiw/${name}`, join(PACKAGES, name)] as const);
  for (const [name, folder] of [...Object.entries(foreign), ...own]) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(folder, join(modules, name), "junction");
  }
  await linkCommands(join(modules, ".bin"));
}

async function linkCommands(bin: string): Promise<void> {
  await mkdir(bin);
  const commands = {
    aiw: join(PACKAGES, "cli/dist/main.js"),
    tsc: join(ROOT, "node_modules/typescript/bin/tsc"),
    vitest: join(ROOT, "node_modules/vitest/vitest.mjs"),
  };
  for (const [name, file] of Object.entries(commands)) {
    if (!existsSync(file)) throw new Error(`${file} is missing: build the workspace first.`);
    await writeFile(join(bin, name), `#!/bin/sh\nexec "${process.execPath}" "${file}" "$@"\n`, { mode: 0o755 });
  }
}

function packageFolder(name: string, from: string): string {
  return dirname(createRequire(from).resolve(`${name}/package.json`));
}
