import * as fs from "node:fs";
import module, { createRequire } from "node:module";
import * as path from "node:path";
import type { PnpApi, PnpProject } from "./pnp-project.ts";

/** The file in which Plug'n'Play keeps a project's tree; it is code. */
export const PNP_HOOK = ".pnp.cjs";

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
    const hook = findHook(issuer);
    if (hook === undefined || !isRunning(hook)) return undefined;
    const api = findPnpApi(issuer);
    // An ignored folder has no locator; Node resolves there as ever.
    return api === null || api.findPackageLocator(issuer) === null ? undefined : { api, issuer };
  } catch {
    return undefined;
  }
}

function findHook(directory: string): string | undefined {
  for (let at = path.resolve(directory); ; at = path.dirname(at)) {
    const file = path.join(at, PNP_HOOK);
    if (fs.statSync(file, { throwIfNoEntry: false })?.isFile() === true) return file;
    if (path.dirname(at) === at) return undefined;
  }
}

/** A preloaded hook takes itself out of the module cache; what preloaded it still names it. */
function isRunning(hook: string): boolean {
  const preloaded = [...process.execArgv, ...splitNodeOptions(process.env["NODE_OPTIONS"] ?? "")];
  const loaded = Object.keys(createRequire(hook).cache);
  return [...preloaded, ...loaded].some((text) => isFile(text.replace(/^(?:--require|--import|-r)=/u, ""), hook));
}

function isFile(text: string, hook: string): boolean {
  if (path.basename(text) !== PNP_HOOK) return false;
  const file = path.resolve(text);
  return file === hook || fs.realpathSync.native(file) === hook;
}

/** Splits as Node does: at spaces outside double quotes, inside which a backslash escapes. */
export function splitNodeOptions(text: string): string[] {
  const parts = text.match(/(?:"(?:\\.|[^"\\])*"|[^\s"])+/gu) ?? [];
  return parts.map((part) =>
    part.replaceAll(/"((?:\\.|[^"\\])*)"/gu, (_, quoted: string) => quoted.replaceAll(/\\(.)/gu, "$1")),
  );
}
