import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import * as path from "node:path";
import { isPackageName } from "../parse-request.ts";

/** The folder of an installed package as Node finds it from another folder, links followed. */
export async function findPackage(name: string, from: string): Promise<string | undefined> {
  if (!isPackageName(name)) return undefined;
  for (let at = from; ; at = path.dirname(at)) {
    const folder = path.join(at, "node_modules", ...name.split("/"));
    if (existsSync(path.join(folder, "package.json"))) return realpath(folder);
    if (path.dirname(at) === at) return undefined;
  }
}
