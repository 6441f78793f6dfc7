import { AiwError, type AiwConfig } from "@aiw/core";
import type { Extension } from "./extend/extension.ts";
import type { ConfigureExtension, ExtensionHost } from "./extend/extension-host.ts";
import { loadOwnDoor } from "./own-doors.ts";

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
  /** Gives what the module exports; undefined for one that is not there. */
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
  const door = await loader.load(specifier, projectDir);
  if (door === undefined) throw unavailable(key, "the package is not installed where the host is.");
  const configure = typeof door === "object" && door !== null && "configure" in door ? door.configure : undefined;
  if (typeof configure === "function") return configure as ConfigureExtension<unknown>;
  throw unavailable(key, `${specifier} of the version that is installed cannot be configured.`);
}

const INSTALLED: ExtensionLoader = { load: loadOwnDoor };

function unavailable(key: string, why: string): AiwError {
  return new AiwError("extension_unavailable", `The configuration turns on extensions.${key}, and ${why}`, {
    fix: "npm install @aiw/extensions",
  });
}
