import type { ts } from "@ts-morph/common";
import type { PackageFinder } from "./package-finder.ts";

/** What the steps of one compilation share. */
export interface Compilation {
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  readonly entry: ts.SourceFile;
  /** Free of links. */
  readonly packageDir: string;
  readonly packages: PackageFinder;
}

/** True for a file that the author of the package wrote. */
export function isOwnFile(file: string, { packages, packageDir }: Compilation): boolean {
  return !file.includes("/node_modules/") && packages.directoryOf(file) === packageDir;
}
