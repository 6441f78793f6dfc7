import { fileURLToPath } from "node:url";

/** The file that makes manifests in a process of its own: a source beside a source. */
export function findManifestEntry(): string {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  return fileURLToPath(new URL(`./child/manifest-process.${extension}`, import.meta.url));
}
