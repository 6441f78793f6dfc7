import { fileURLToPath } from "node:url";

/** The file that the process of a check runs: a source beside a source, JavaScript beside JavaScript. */
export function findCheckProcess(): string {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  return fileURLToPath(new URL(`./check-process.${extension}`, import.meta.url));
}
