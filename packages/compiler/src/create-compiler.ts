import * as path from "node:path";
import { AiwError } from "@aiw/core";
import type { ts } from "@ts-morph/common";
import type { CompileResult } from "./compile-result.ts";
import { diskFiles, toSlashes } from "./program/disk-files.ts";
import type { FilePort } from "./program/file-port.ts";
import { isLibrary, SourceProgram } from "./program/source-program.ts";
import { compileProgram } from "./tools/compile-program.ts";
import { KeptExports } from "./tools/kept-exports.ts";
import { createPackageFinder } from "./tools/package-finder.ts";

const SOURCE_FILE = /\.[cm]?[jt]sx?$/;

/** What is compiled. */
export interface CompilerOptions {
  /** The folder of the package's package.json. */
  readonly packageDir: string;
  /** The entry file relative to the folder: `./src/index.ts`, also `.mts`, `.js` or `.mjs` with JSDoc types. What it re-exports counts. */
  readonly source: string;
  /** Relative to the folder; `tsconfig.json` unless named, and strict defaults where that is not there. */
  readonly tsconfig?: string;
  /** The disk of this machine unless given. */
  readonly files?: FilePort;
}

/** Compiles one entry again and again; what did not change on disk is not read again. */
export interface Compiler {
  /** @throws AiwError `package_not_buildable` when the entry is missing or the tsconfig cannot be used. */
  compile(): CompileResult;
}

/** Makes a compiler of one source entry. */
export function createCompiler({ packageDir, source, tsconfig, files = diskFiles }: CompilerOptions): Compiler {
  const directory = files.realpath(toSlashes(path.resolve(packageDir)));
  const entry = path.posix.join(directory, toSlashes(source));
  const sources = new SourceProgram({
    packageDir: directory,
    entry,
    tsconfig: path.posix.join(directory, toSlashes(tsconfig ?? "tsconfig.json")),
    isTsconfigNamed: tsconfig !== undefined,
    files,
  });
  const kept = new KeptExports();
  let last: { readonly program: ts.Program; readonly result: CompileResult } | undefined;
  const compile = (): CompileResult => {
    const program = sources.update();
    if (last?.program === program) return last.result;
    const file = program.getSourceFile(entry);
    if (file === undefined || !SOURCE_FILE.test(entry)) throw notRead(entry);
    const packages = createPackageFinder(files);
    const checker = program.getTypeChecker();
    const compiled = compileProgram({ program, checker, entry: file, packageDir: directory, packages }, kept);
    const result = { ...compiled, files: listFiles(program, sources.configFiles) };
    last = { program, result };
    return result;
  };
  return { compile: () => withinStack(compile) };
}

/**
 * Compiles the exported, documented functions and classes of one source entry, once.
 * @throws AiwError `package_not_buildable` when the entry is missing or the tsconfig cannot be used.
 */
export function compileTools(options: CompilerOptions): CompileResult {
  return createCompiler(options).compile();
}

/** TypeScript reads code by recursion, so code that nests without end exhausts the stack. */
function withinStack(compile: () => CompileResult): CompileResult {
  try {
    return compile();
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new AiwError("package_not_buildable", "A source nests too deeply to be read.", {
      fix: "Move large data out of the code, into a JSON file that is read when it is needed.",
      cause,
    });
  }
}

function listFiles(program: ts.Program, configFiles: readonly string[]): string[] {
  const sources = program.getSourceFiles().map(({ fileName }) => fileName);
  const own = [...sources, ...configFiles].filter((file) => !isLibrary(file) && !file.includes("/node_modules/"));
  return [...new Set(own)].sort();
}

function notRead(entry: string): AiwError {
  return new AiwError("package_not_buildable", `The source ${entry} is of no kind that is compiled.`, {
    fix: "Name a .ts, .mts, .tsx, .js, .mjs or .jsx file.",
  });
}
