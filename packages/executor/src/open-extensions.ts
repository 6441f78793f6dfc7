import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { AiwError, type AiwConfig } from "@aiw/core";
import type { Extension } from "./extend/extension.ts";
import type { ConfigureExtension, ExtensionHost } from "./extend/extension-host.ts";
import { ownRequire } from "./own-require.ts";

/** Doors of `@aiw/extensions` by the keys that turn them on. */
const DOORS: ReadonlyMap<string, string> = new Map([
  ["auth", "auth"],
  ["approval", "approval"],
  ["rateLimit", "rate-limit"],
  ["audit", "audit"],
  ["logging", "logging"],
  ["telemetry", "telemetry"],
]);

/** How the package of an extension is found and loaded; replaced in tests. */
export interface ExtensionLoader {
  load(specifier: string, projectDir: string): Promise<unknown>;
}

/**
 * Makes the extensions that a configuration turns on, each from its own settings.
 * @throws AiwError `extension_unavailable`, and what an extension says of its settings.
 */
export async function openExtensions(
  settings: AiwConfig["extensions"] = {},
  host: ExtensionHost,
  loader: ExtensionLoader = INSTALLED,
): Promise<Extension[]> {
  const named = Object.entries(settings).filter(([, value]) => value !== undefined);
  const opened: Extension[] = [];
  try {
    for (const [key, value] of named) {
      const configure = await loadConfigure(key, host, loader);
      opened.push(...[await configure(value, host)].flat());
    }
  } catch (error) {
    // What opened a file or a port before must not stay behind.
    await Promise.allSettled(opened.map(async (extension) => extension.close?.()));
    throw error;
  }
  return opened;
}

async function loadConfigure(
  key: string,
  { projectDir }: ExtensionHost,
  loader: ExtensionLoader,
): Promise<ConfigureExtension<unknown>> {
  const specifier = `@aiw/extensions/${DOORS.get(key) ?? key}`;
  const door = await loadDoor(specifier, { projectDir, loader, key });
  const configure = typeof door === "object" && door !== null && "configure" in door ? door.configure : undefined;
  if (typeof configure === "function") return configure as ConfigureExtension<unknown>;
  throw unavailable(key, `${specifier} of the version that is installed cannot be configured.`);
}

async function loadDoor(
  specifier: string,
  { projectDir, loader, key }: { readonly projectDir: string; readonly loader: ExtensionLoader; readonly key: string },
): Promise<unknown> {
  try {
    return await loader.load(specifier, projectDir);
  } catch (cause) {
    if (!isMissing(cause, specifier)) throw cause;
    throw unavailable(key, "the package is not installed.", cause);
  }
}

/** The project's own copy first, else the one that stands beside this package. */
const INSTALLED: ExtensionLoader = {
  async load(specifier, projectDir) {
    const own = createRequire(path.join(projectDir, "package.json"));
    const file = resolveFrom(own, specifier) ?? (ownRequire && resolveFrom(ownRequire, specifier));
    if (file === undefined)
      throw Object.assign(new TypeError(`Cannot find ${specifier}.`), { code: "MODULE_NOT_FOUND" });
    return import(pathToFileURL(file).href);
  },
};

function resolveFrom(require: NodeJS.Require, specifier: string): string | undefined {
  try {
    return require.resolve(specifier);
  } catch (error) {
    if (isMissing(error, specifier)) return undefined;
    throw error;
  }
}

/** The door itself is missing, not something that it imports. */
function isMissing(error: unknown, specifier: string): boolean {
  if (!(error instanceof Error) || !("code" in error)) return false;
  if (error.code === "ERR_PACKAGE_PATH_NOT_EXPORTED") return true;
  return (
    (error.code === "MODULE_NOT_FOUND" || error.code === "ERR_MODULE_NOT_FOUND") && error.message.includes(specifier)
  );
}

function unavailable(key: string, why: string, cause?: unknown): AiwError {
  return new AiwError("extension_unavailable", `The configuration turns on extensions.${key}, and ${why}`, {
    fix: "npm install @aiw/extensions",
    cause,
  });
}
