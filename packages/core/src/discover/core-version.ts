import { readFileSync } from "node:fs";

let version: { readonly value: string | undefined } | undefined;

/** The version of this package; undefined inside a bundle, where its package.json is not beside the code. */
export function readCoreVersion(): string | undefined {
  version ??= { value: read() };
  return version.value;
}

function read(): string | undefined {
  try {
    const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
    const manifest = JSON.parse(text) as { readonly name?: unknown; readonly version?: unknown };
    return manifest.name === "@aiw/core" && typeof manifest.version === "string" ? manifest.version : undefined;
  } catch {
    return undefined;
  }
}
