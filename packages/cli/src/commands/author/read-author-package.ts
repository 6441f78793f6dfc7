import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import * as path from "node:path";
import { AiwError } from "@aiw/core";
import { oneLine } from "../../output/one-line.ts";
import { isRecord, readDeclaredTools, type DeclaredTools } from "./declared-tools.ts";
import { findBuiltModule } from "./find-built-module.ts";
import { findSource, toPackagePath } from "./find-source.ts";

/** A tool package under development. */
export interface AuthorPackage {
  /** Absolute. */
  readonly dir: string;
  readonly name: string;
  readonly version: string;
  readonly packageJson: Readonly<Record<string, unknown>>;
  readonly declared: DeclaredTools;
  /** Where its static manifest belongs, from `dir`: `./aiw-tools.json` unless it declares another. */
  readonly manifestPath: string;
  /** The built module with its tools, from `dir`, such as `./dist/index.js`; it need not be there yet. */
  readonly module: string;
  /** What the module is built from, from `dir`, such as `./src/index.ts`; the module itself where it is written by hand. */
  readonly source?: string;
  /** Absolute. */
  readonly tsconfig?: string;
}

/** What the author says instead of what would be found; paths from the package's folder. */
export interface AuthorPackageOptions {
  readonly module?: string | undefined;
  readonly source?: string | undefined;
}

const DEFAULT_MANIFEST = "./aiw-tools.json";
const MANIFEST = "aiwhisperer.tools in package.json";

/**
 * Reads a tool package as its author has it: what it declares, and where its built module and its source are.
 * @throws AiwError `package_not_buildable`
 */
export async function readAuthorPackage(dir: string, options: AuthorPackageOptions = {}): Promise<AuthorPackage> {
  const folder = path.resolve(dir);
  const packageJson = await readPackageJson(folder);
  const { name, version } = readIdentity(packageJson, folder);
  const declared = readDeclaredTools(packageJson);
  if (declared.form === "invalid")
    throw notBuildable(
      `package.json of ${oneLine(name)}: ${declared.reason}.`,
      `Write "aiwhisperer": { "apiVersion": 1, "tools": "${DEFAULT_MANIFEST}" }.`,
    );
  const module =
    options.module === undefined
      ? findBuiltModule(packageJson, declared)
      : toInside(folder, { flag: "--module", file: options.module });
  const found = await findSource({ dir: folder, module });
  const source = options.source === undefined ? found.source : requireSource(folder, options.source);
  return {
    dir: folder,
    name,
    version,
    packageJson,
    declared,
    manifestPath:
      declared.form === "manifest" ? toInside(folder, { flag: MANIFEST, file: declared.path }) : DEFAULT_MANIFEST,
    module,
    ...(source !== undefined && { source }),
    ...(found.tsconfig !== undefined && { tsconfig: found.tsconfig }),
  };
}

/**
 * Reads the package.json of a folder, whatever it says.
 * @throws AiwError `package_not_buildable`
 */
export async function readPackageJson(dir: string): Promise<Readonly<Record<string, unknown>>> {
  const file = path.join(dir, "package.json");
  const text = await readFile(file, "utf8").catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT" || cause.code === "ENOTDIR")
      throw notBuildable(`There is no package.json in ${oneLine(dir)}.`, "Name the folder of a tool package.", cause);
    throw notBuildable(
      `${oneLine(file)} cannot be read (${cause.code}).`,
      "Name the folder of a package you may read.",
      cause,
    );
  });
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    if (isRecord(value)) return value;
  } catch (cause) {
    throw notBuildable(`${oneLine(file)} is no JSON: ${oneLine(String(cause))}`, "Correct it.", cause);
  }
  throw notBuildable(`${oneLine(file)} is no JSON object.`, "Make one: npm init -y");
}

/** A manifest says of which package and version it is; a name that npm would refuse could steer a path. */
function readIdentity(
  { name, version }: Readonly<Record<string, unknown>>,
  dir: string,
): { readonly name: string; readonly version: string } {
  const file = `package.json in ${oneLine(dir)}`;
  if (typeof name !== "string" || name === "") throw notBuildable(`${file} has no name.`, "Give it a name.");
  if (name.length > MAX_NAME || !NAME.test(name))
    throw notBuildable(`${file} has a name that npm does not take: ${oneLine(name.slice(0, MAX_NAME))}`, "Rename it.");
  if (typeof version === "string" && version !== "") return { name, version };
  throw notBuildable(`${file} has no version.`, 'Give it a version: "version": "0.1.0"');
}

const NAME = /^(?:@[a-zA-Z0-9~-][\w.~-]*\/)?[a-zA-Z0-9~-][\w.~-]*$/;
const MAX_NAME = 214;

function requireSource(dir: string, file: string): string {
  const inside = toInside(dir, { flag: "--source", file });
  if (existsSync(path.join(dir, inside))) return inside;
  throw notBuildable(`--source: there is no ${oneLine(inside)} in ${oneLine(dir)}.`, "Name a file of the package.");
}

/** A manifest names files of its own package alone. */
function toInside(dir: string, { flag, file }: { readonly flag: string; readonly file: string }): string {
  const inside = toPackagePath(dir, path.resolve(dir, file));
  const isOutside =
    inside === "./" || inside.startsWith("./../") || path.isAbsolute(path.relative(dir, path.resolve(dir, file)));
  if (!isOutside) return inside;
  throw notBuildable(`${flag}: ${oneLine(file)} is no file inside ${oneLine(dir)}.`, "Name a file of the package.");
}

function notBuildable(message: string, fix: string, cause?: unknown): AiwError {
  return new AiwError("package_not_buildable", message, { fix, ...(cause !== undefined && { cause }) });
}
