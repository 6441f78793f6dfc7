import { basename, resolve } from "node:path";
import { usageError } from "../create-error.ts";
import { toFolderName, toPackageName } from "../names/package-name.ts";
import type { Answers, Given } from "./answers.ts";
import type { PackageManager } from "./choices.ts";
import { TEMPLATE_FACTS } from "./template-facts.ts";

/** Where the command runs, and by what. */
export interface Surroundings {
  readonly cwd: string;
  readonly manager: PackageManager;
}

/**
 * Answers what nobody has answered by its default.
 * @throws CreateError with exit code 2 when no folder is named.
 */
export function completeAnswers(given: Given, { cwd, manager }: Surroundings): Answers {
  const directory = given.directory ?? (given.name === undefined ? undefined : toFolderName(given.name));
  if (directory === undefined) throw usageError("Which folder?", "Name it: npm create @aiw/tool@latest my-tool");
  const template = given.template ?? "function";
  const facts = TEMPLATE_FACTS[template];
  return {
    directory,
    template,
    language: given.language ?? "ts",
    name: given.name ?? defaultName(directory, cwd),
    description: given.description ?? facts.description,
    tool: given.tool ?? facts.tool,
    license: given.license ?? "MIT",
    test: given.test ?? "node",
    packageManager: given.packageManager ?? manager,
    ...(given.repository && { repository: given.repository }),
    install: given.install ?? false,
    git: given.git ?? false,
    force: given.force,
  };
}

/** A package is called like its folder, as far as npm allows. */
export function defaultName(directory: string, cwd: string): string {
  return toPackageName(basename(resolve(cwd, directory)));
}
