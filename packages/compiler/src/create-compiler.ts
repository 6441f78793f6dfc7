import type { CompileResult } from "./compile-result.ts";
import type { FilePort } from "./program/file-port.ts";

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
export function createCompiler(_options: CompilerOptions): Compiler {
  return { compile: () => ({ tools: [], diagnostics: [], files: [] }) };
}

/**
 * Compiles the exported, documented functions and classes of one source entry, once.
 * @throws AiwError `package_not_buildable` when the entry is missing or the tsconfig cannot be used.
 */
export function compileTools(options: CompilerOptions): CompileResult {
  return createCompiler(options).compile();
}
