import { existsSync } from "node:fs";
import * as path from "node:path";
import type { TsConfigJsonResolved } from "get-tsconfig";

/** A package's folder and the module it was built into. */
export interface BuiltPlace {
  readonly dir: string;
  /** From the folder. */
  readonly module: string;
}

/** Where a package's code comes from. */
export interface FoundSource {
  /** From the package's folder; absent where nothing is there. */
  readonly source?: string;
  /** Absolute; absent for a package without TypeScript. */
  readonly tsconfig?: string;
}

const CONVENTIONAL = ["./src/index.ts", "./src/index.mts", "./src/index.tsx", "./index.ts"];

/** The source a compiler writes each kind of module from. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  ".js": [".ts", ".tsx"],
  ".mjs": [".mts"],
  ".cjs": [".cts"],
};

/** Finds the file a built module was compiled from: by TypeScript's configuration, else by custom; else the module is its own. */
export async function findSource({ dir, module }: BuiltPlace): Promise<FoundSource> {
  const tsconfig = path.join(dir, "tsconfig.json");
  const hasConfig = existsSync(tsconfig);
  const mapped = hasConfig ? await mapToSource({ dir, module }, tsconfig) : [];
  const source = [...mapped, ...CONVENTIONAL, module].find((file) => existsSync(path.join(dir, file)));
  return { ...(source !== undefined && { source }), ...(hasConfig && { tsconfig }) };
}

/** A configuration that cannot be read is for the author's own compiler to complain of. */
async function mapToSource({ dir, module }: BuiltPlace, tsconfig: string): Promise<string[]> {
  const { parseTsconfig } = await import("get-tsconfig");
  let options: TsConfigJsonResolved["compilerOptions"];
  try {
    options = parseTsconfig(tsconfig).compilerOptions;
  } catch {
    return [];
  }
  const inOutput = path.relative(path.resolve(dir, options?.outDir ?? "."), path.join(dir, module));
  if (inOutput.startsWith("..") || path.isAbsolute(inOutput)) return [];
  const extension = path.extname(inOutput);
  const stem = inOutput.slice(0, inOutput.length - extension.length);
  const roots = options?.rootDir === undefined ? [dir, path.join(dir, "src")] : [path.resolve(dir, options.rootDir)];
  return roots.flatMap((root) =>
    (SOURCES[extension] ?? []).map((ending) => toPackagePath(dir, path.join(root, stem + ending))),
  );
}

/** Writes an absolute path as a declaration would. */
export function toPackagePath(dir: string, file: string): string {
  return `./${path.relative(dir, file).split(path.sep).join("/")}`;
}
