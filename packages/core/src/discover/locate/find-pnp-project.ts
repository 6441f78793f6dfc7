import * as fs from "node:fs";
import module, { createRequire } from "node:module";
import * as path from "node:path";
import type { PnpApi, PnpProject } from "./pnp-project.ts";

/** The file in which Plug'n'Play keeps a project's tree; it is code. */
export const PNP_HOOK = ".pnp.cjs";

/** The hook's name of old, which resolvers still look for, some of them first. */
const OLD_HOOK = ".pnp.js";

/** Where relative arguments of this process start: it may go elsewhere, and the hook there is another one. */
const startedIn = readWorkingDirectory();

/**
 * Asks the hook of this process for a project's resolver.
 * `findPnpApi` runs the hook of any project it is asked about, so it is asked only about one that already runs here:
 * looking at a stranger's checkout must not run its code.
 */
export function findPnpProject(projectDir: string): PnpProject | undefined {
  if (process.versions["pnp"] === undefined) return undefined;
  const { findPnpApi } = module as { findPnpApi?: (location: string) => PnpApi | null };
  if (findPnpApi === undefined) return undefined;
  try {
    const issuer = path.join(fs.realpathSync.native(projectDir), path.sep);
    const hooks = findHooks(issuer);
    if (hooks.length === 0 || !hooks.every(isRunning)) return undefined;
    const api = findPnpApi(issuer);
    // An ignored folder has no locator; Node resolves there as ever.
    return api === null || api.findPackageLocator(issuer) === null ? undefined : { api, issuer };
  } catch {
    return undefined;
  }
}

/** The hooks in the nearest folder that has any: whichever of two the resolver takes must run already. */
function findHooks(directory: string): readonly string[] {
  for (let at = path.resolve(directory); ; at = path.dirname(at)) {
    const hooks = [PNP_HOOK, OLD_HOOK]
      .map((name) => path.join(at, name))
      .filter((file) => fs.statSync(file, { throwIfNoEntry: false })?.isFile() === true);
    if (hooks.length > 0 || path.dirname(at) === at) return hooks;
  }
}

/** A preloaded hook takes itself out of the module cache; what preloaded it still names it. */
function isRunning(hook: string): boolean {
  const preloaded = [...process.execArgv, ...splitNodeOptions(process.env["NODE_OPTIONS"] ?? "")];
  const loaded = Object.keys(createRequire(hook).cache);
  return [...preloaded, ...loaded].some((text) => isFile(text.replace(/^(?:--require|--import|-r)=/u, ""), hook));
}

function isFile(text: string, hook: string): boolean {
  if (path.basename(text) !== path.basename(hook) || (startedIn === undefined && !path.isAbsolute(text))) return false;
  const file = path.resolve(startedIn ?? "", text);
  return file === hook || toReal(file) === hook;
}

/** A hook that is gone runs, and is no other. */
function toReal(file: string): string | undefined {
  try {
    return fs.realpathSync.native(file);
  } catch {
    return undefined;
  }
}

/** Undefined where the folder was removed. */
function readWorkingDirectory(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

/** Splits as Node does: at spaces outside double quotes, inside which a backslash escapes. */
export function splitNodeOptions(text: string): string[] {
  const parts = text.match(/(?:"(?:\\.|[^"\\])*"|[^\s"])+/gu) ?? [];
  return parts.map((part) =>
    part.replaceAll(/"((?:\\.|[^"\\])*)"/gu, (_, quoted: string) => quoted.replaceAll(/\\(.)/gu, "$1")),
  );
}
