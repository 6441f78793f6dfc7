import { matchFiles, ts } from "@ts-morph/common";
import { AiwError } from "@aiw/core";
import type { FilePort } from "./file-port.ts";

/** How a package's sources are read. */
export interface SourceOptions {
  readonly options: ts.CompilerOptions;
  /** Declaration files that belong to the package without being imported. */
  readonly ambientFiles: readonly string[];
  /** The tsconfig and what it extends. */
  readonly configFiles: readonly string[];
}

/** Where a tsconfig is looked for. */
export interface ReadTsconfigOptions {
  /** Absolute, with forward slashes. */
  readonly packageDir: string;
  /** Absolute; must be there when it was asked for by name. */
  readonly tsconfig: string;
  readonly isNamed: boolean;
  readonly files: FilePort;
}

/** Versions of TypeScript differ in whether installed declarations of globals (`process`, `Buffer`) are read unasked. */
const COMMON_OPTIONS: ts.CompilerOptions = { types: ["*"] };

const DEFAULT_OPTIONS: ts.CompilerOptions = {
  ...COMMON_OPTIONS,
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  checkJs: true,
};

/** Nothing is written or checked here, JavaScript tells its types by JSDoc, and what may be null has to be told from what may not. */
const FORCED_OPTIONS: ts.CompilerOptions = {
  allowJs: true,
  strictNullChecks: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: true,
  composite: false,
  incremental: false,
  declaration: false,
  maxNodeModuleJsDepth: 0,
};

/** An option or value that only another version of TypeScript knows, or no sources: neither matters here. */
const HARMLESS_CODES: ReadonlySet<number> = new Set([5023, 5025, 6046, 18002, 18003]);

/**
 * Reads the compiler options of a package.
 * @throws AiwError `package_not_buildable` when the tsconfig is missing or cannot be read.
 */
export function readTsconfig({ packageDir, tsconfig, isNamed, files }: ReadTsconfigOptions): SourceOptions {
  if (files.versionOf(tsconfig) === undefined) {
    if (isNamed) throw unusable(`${tsconfig} is not there.`, "Name a tsconfig that exists, relative to the package.");
    return { options: { ...DEFAULT_OPTIONS, ...FORCED_OPTIONS }, ambientFiles: [], configFiles: [] };
  }
  const source = ts.readJsonConfigFile(tsconfig, (file) => files.readFile(file));
  const host = toParseHost(packageDir, files);
  const parsed = ts.parseJsonSourceFileConfigFileContent(source, host, dirOf(tsconfig), undefined, tsconfig);
  const [error] = [...parseDiagnosticsOf(source), ...parsed.errors].filter(
    ({ category, code }) => category === ts.DiagnosticCategory.Error && !HARMLESS_CODES.has(code),
  );
  if (error !== undefined) throw unusable(describe(error, tsconfig), "Correct the tsconfig.");
  return {
    options: { ...COMMON_OPTIONS, ...parsed.options, ...FORCED_OPTIONS },
    ambientFiles: parsed.fileNames.filter((file) => /\.d\.[cm]?ts$/.test(file)),
    configFiles: [tsconfig, ...(source.extendedSourceFiles ?? [])],
  };
}

function toParseHost(packageDir: string, files: FilePort): ts.ParseConfigHost {
  return {
    useCaseSensitiveFileNames: true,
    fileExists: (file) => files.versionOf(file) !== undefined,
    readFile: (file) => files.readFile(file),
    readDirectory: (...[root, , excludes, includes, depth]) =>
      matchFiles.call(
        undefined,
        root,
        [".d.ts", ".d.mts", ".d.cts"],
        excludes ?? [],
        includes,
        true,
        packageDir,
        depth,
        (directory) => files.readDirectory(directory),
        (file) => files.realpath(file),
        (directory) => files.directoryExists(directory),
      ),
  };
}

function parseDiagnosticsOf(source: ts.TsConfigSourceFile): readonly ts.Diagnostic[] {
  return (source as { readonly parseDiagnostics?: readonly ts.Diagnostic[] }).parseDiagnostics ?? [];
}

function describe({ file, start, messageText }: ts.Diagnostic, tsconfig: string): string {
  const message = ts.flattenDiagnosticMessageText(messageText, " ").slice(0, 300);
  if (file === undefined || start === undefined) return `${tsconfig}: ${message}`;
  const { line, character } = file.getLineAndCharacterOfPosition(start);
  return `${file.fileName}:${line + 1}:${character + 1}: ${message}`;
}

function dirOf(file: string): string {
  return file.slice(0, file.lastIndexOf("/")) || "/";
}

function unusable(message: string, fix: string): AiwError {
  return new AiwError("package_not_buildable", message, { fix });
}
