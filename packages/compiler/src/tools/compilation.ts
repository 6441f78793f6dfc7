import type { ts } from "@ts-morph/common";
import type { PackageFinder } from "./package-finder.ts";

/** The sources of one compilation. */
export interface Sources {
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  readonly entry: ts.SourceFile;
  /** Free of links. */
  readonly packageDir: string;
  readonly packages: PackageFinder;
}

/** What the steps of one compilation share. */
export interface Compilation extends Sources {
  /** The default export says what the tools of the package are; of what is documented, only what says `@tool` joins them. */
  readonly tellsItself: boolean;
}

/** True for a file that the author of the package wrote. */
export function isOwnFile(file: string, { packages, packageDir }: Sources): boolean {
  return !file.includes("/node_modules/") && packages.directoryOf(file) === packageDir;
}
