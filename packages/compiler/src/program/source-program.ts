import { getLibFiles, libFolderInMemoryPath, ts } from "@ts-morph/common";
import { AiwError } from "@aiw/core";
import type { FilePort } from "./file-port.ts";
import { readTsconfig, type SourceOptions } from "./read-tsconfig.ts";

/** Which sources are read. */
export interface SourceProgramOptions {
  /** Absolute, with forward slashes. */
  readonly packageDir: string;
  /** Absolute. */
  readonly entry: string;
  /** Absolute. */
  readonly tsconfig: string;
  readonly isTsconfigNamed: boolean;
  readonly files: FilePort;
}

interface KeptFile {
  readonly version: string;
  readonly file: ts.SourceFile;
}

/** Parsed once for a process: no project has its own. */
const libraryFiles = new Map<string, ts.SourceFile>();
let libraryTexts: ReadonlyMap<string, string> | undefined;

/** The sources of one entry, parsed once until they change. */
export class SourceProgram {
  readonly #options: SourceProgramOptions;
  readonly #kept = new Map<string, KeptFile>();
  #config: { readonly versions: string; readonly read: SourceOptions } | undefined;
  #program: ts.Program | undefined;
  #isChanged = false;

  constructor(options: SourceProgramOptions) {
    this.#options = options;
  }

  /** Absolute paths of the tsconfig and of what it extends. */
  get configFiles(): readonly string[] {
    return this.#config?.read.configFiles ?? [];
  }

  /**
   * The program of what is on disk now; the same object while nothing changed.
   * @throws AiwError `package_not_buildable`
   */
  update(): ts.Program {
    const { entry, files } = this.#options;
    if (files.versionOf(entry) === undefined) {
      throw new AiwError("package_not_buildable", `The source ${entry} is not there.`, {
        fix: "Name the source entry that exports the tools, such as ./src/index.ts.",
      });
    }
    const earlier = this.#program;
    const { options, ambientFiles } = this.#readConfig();
    const rootNames = [entry, ...ambientFiles.filter((file) => file !== entry)];
    this.#isChanged = false;
    const program = ts.createProgram({
      rootNames,
      options,
      host: this.#createHost(options),
      ...(earlier !== undefined && { oldProgram: earlier }),
    });
    const isSame =
      earlier !== undefined &&
      !this.#isChanged &&
      earlier.getCompilerOptions() === options &&
      earlier.getSourceFiles().length === program.getSourceFiles().length;
    if (!isSame) this.#program = program;
    return isSame ? earlier : program;
  }

  /** The same options while no file that says them changed; which declarations belong to the package is looked up each time. */
  #readConfig(): SourceOptions {
    const { packageDir, tsconfig, isTsconfigNamed, files } = this.#options;
    const read = readTsconfig({ packageDir, tsconfig, isNamed: isTsconfigNamed, files });
    const versions = [tsconfig, ...read.configFiles].map((file) => `${file}:${files.versionOf(file) ?? "-"}`).join();
    const known = this.#config;
    const same = known?.versions === versions ? { ...read, options: known.read.options } : read;
    this.#config = { versions, read: same };
    return same;
  }

  #createHost(options: ts.CompilerOptions): ts.CompilerHost {
    const { packageDir, files } = this.#options;
    return {
      getSourceFile: (file, how) => this.#readSource(file, how),
      getDefaultLibLocation: () => libFolderInMemoryPath,
      getDefaultLibFileName: () => `${libFolderInMemoryPath}/${ts.getDefaultLibFileName(options)}`,
      writeFile: () => {},
      getCurrentDirectory: () => packageDir,
      getCanonicalFileName: (file) => file,
      useCaseSensitiveFileNames: () => true,
      getNewLine: () => "\n",
      fileExists: (file) => isLibrary(file) || files.versionOf(file) !== undefined,
      readFile: (file) => files.readFile(file),
      directoryExists: (directory) => directory === libFolderInMemoryPath || files.directoryExists(directory),
      getDirectories: (directory) => files.readDirectory(directory).directories,
      realpath: (file) => (isLibrary(file) ? file : files.realpath(file)),
      // A file that was missing may be there now.
      hasInvalidatedResolutions: (file) => !file.includes("/node_modules/"),
    };
  }

  #readSource(file: string, how: ts.ScriptTarget | ts.CreateSourceFileOptions): ts.SourceFile | undefined {
    if (isLibrary(file)) return readLibrary(file, how);
    const { files } = this.#options;
    const version = files.versionOf(file);
    if (version === undefined) return undefined;
    const key = `${file}\0${toKey(how)}`;
    const kept = this.#kept.get(key);
    if (kept?.version === version) return kept.file;
    const text = files.readFile(file);
    if (text === undefined) return undefined;
    this.#isChanged = true;
    const source = ts.createSourceFile(file, text, how);
    this.#kept.set(key, { version, file: source });
    return source;
  }
}

/** True for the part of TypeScript that declares the language itself. */
export function isLibrary(file: string): boolean {
  return file.startsWith(`${libFolderInMemoryPath}/`);
}

function readLibrary(file: string, how: ts.ScriptTarget | ts.CreateSourceFileOptions): ts.SourceFile | undefined {
  const key = `${file}\0${toKey(how)}`;
  const known = libraryFiles.get(key);
  if (known !== undefined) return known;
  libraryTexts ??= new Map(getLibFiles().map(({ fileName, text }) => [`${libFolderInMemoryPath}/${fileName}`, text]));
  const text = libraryTexts.get(file);
  if (text === undefined) return undefined;
  const source = ts.createSourceFile(file, text, how);
  libraryFiles.set(key, source);
  return source;
}

function toKey(how: ts.ScriptTarget | ts.CreateSourceFileOptions): string {
  return typeof how === "number" ? `${how}` : `${how.languageVersion}:${how.impliedNodeFormat ?? ""}`;
}
