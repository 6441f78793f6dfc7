import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import * as path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ToolError, type DataToolOrigin } from "@aiw/core";
import { invalidImplementation } from "../data/invalid-implementation.ts";

const RELATIVE = /^\.{1,2}(?:\/|$)/;

/**
 * Gives the address of the module that a spec names. A relative path starts at the folder of the spec and does not leave it,
 * links followed (SEC-CFG-3); a package names files of its own alone, a host also absolute paths and packages it can import.
 * @throws ToolError `implementation_invalid` or `load_failed`
 */
export function resolveModule(module: string, origin: DataToolOrigin): string {
  if (module.includes("\\")) throw invalidImplementation("module", "must be a path with slashes");
  if (RELATIVE.test(module)) return resolveInside(module, origin);
  if (origin.package !== undefined) {
    throw invalidImplementation("module", `must start with "./", since a package runs files of its own alone`);
  }
  if (path.isAbsolute(module)) return pathToFileURL(module).href;
  if (module.startsWith("file:")) return pathToFileURL(toPath(module)).href;
  if (module.startsWith("node:")) return module;
  return resolvePackage(module, origin);
}

function toPath(url: string): string {
  try {
    return fileURLToPath(url);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw invalidImplementation("module", `is no address of a file: ${reason}`);
  }
}

function resolveInside(module: string, { baseDirectory }: DataToolOrigin): string {
  const base = requireBase(baseDirectory);
  const file = path.resolve(base, module);
  if (!isInside(base, file)) throw invalidImplementation("module", "must not leave the folder of its spec");
  const real = follow(file);
  if (!isInside(follow(base), real))
    throw invalidImplementation("module", "is a link that leaves the folder of its spec");
  return pathToFileURL(real).href;
}

function resolvePackage(module: string, { baseDirectory }: DataToolOrigin): string {
  try {
    const resolved = createRequire(path.join(requireBase(baseDirectory), "spec.js")).resolve(module);
    return path.isAbsolute(resolved) ? pathToFileURL(resolved).href : `node:${resolved}`;
  } catch (cause) {
    if (ToolError.is(cause)) throw cause;
    throw new ToolError("load_failed", `No module ${JSON.stringify(module)} can be imported from ${baseDirectory}.`, {
      cause,
      suggestion:
        'Ask the operator to install it, or to name its file in the spec: { "module": "./node_modules/…/index.js" }.',
    });
  }
}

/** Never the working directory: it is not where the spec was written. */
function requireBase(baseDirectory: string | undefined): string {
  if (baseDirectory !== undefined && path.isAbsolute(baseDirectory)) return baseDirectory;
  throw invalidImplementation(
    "module",
    "is relative, and the folder it starts at is not known",
    'Ask whoever registers the tool to say it: defineDataTool(spec, { baseDirectory: "/path/of/its/folder" }).',
  );
}

function follow(file: string): string {
  try {
    return realpathSync(file);
  } catch (cause) {
    throw new ToolError("load_failed", `There is no module ${file}.`, {
      cause,
      suggestion: "Ask whoever wrote the spec to correct its module, or to build it.",
    });
  }
}

function isInside(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== "" && relative !== ".." && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}
