/** A file to write; its path has `/` and stays inside the package. */
export interface PackageFile {
  readonly path: string;
  readonly text: string;
}
