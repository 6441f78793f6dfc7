import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { WantedRange } from "./explanation.ts";

/** In the order in which they win. */
const FIELDS = ["dependencies", "optionalDependencies", "devDependencies", "peerDependencies"];

/** Reads which range a project wrote for a package; discovery has read and checked the file before. */
export function readWanted(projectDir: string, packageKey: string): WantedRange | undefined {
  const manifest = readManifest(projectDir);
  for (const field of FIELDS) {
    const map = manifest[field];
    if (typeof map !== "object" || map === null || !Object.hasOwn(map, packageKey)) continue;
    const range = (map as Readonly<Record<string, unknown>>)[packageKey];
    return { field, range: typeof range === "string" ? range : JSON.stringify(range) };
  }
  return undefined;
}

function readManifest(projectDir: string): Readonly<Record<string, unknown>> {
  try {
    const text = readFileSync(join(projectDir, "package.json"), "utf8").replace(/^\uFEFF/, "");
    const manifest: unknown = JSON.parse(text);
    return typeof manifest === "object" && manifest !== null ? { ...manifest } : {};
  } catch {
    // Gone or replaced since: the answer stands without it.
    return {};
  }
}
