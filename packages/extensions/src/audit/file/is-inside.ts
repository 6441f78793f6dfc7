import { isAbsolute, relative, sep } from "node:path";

/** True for a resolved path in a resolved folder, or the folder itself; names are compared whole (SEC-FS-1). */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
