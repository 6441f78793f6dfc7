import { fileURLToPath } from "node:url";

/** The file that the process of a package runs: a source beside a source, JavaScript beside JavaScript. */
export function findProcessEntry(): string {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  return fileURLToPath(new URL(`../child/isolated-process.${extension}`, import.meta.url));
}
