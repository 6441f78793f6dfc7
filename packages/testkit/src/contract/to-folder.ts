import * as path from "node:path";
import { fileURLToPath } from "node:url";

/** The absolute path of a folder, however it was named. */
export function toFolder(dir: string | URL): string {
  return path.resolve(dir instanceof URL || dir.startsWith("file:") ? fileURLToPath(dir) : dir);
}
