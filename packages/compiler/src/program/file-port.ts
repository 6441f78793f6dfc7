/** The disk as the compiler sees it; tests replace it. */
export interface FilePort {
  /** The text of a file, or undefined when there is none. */
  readFile(path: string): string | undefined;
  /** Changes whenever the file's text may have; undefined when there is no file. */
  versionOf(path: string): string | undefined;
  directoryExists(path: string): boolean;
  /** Names of the folders in a folder. */
  getDirectories(path: string): string[];
  /** Free of links. */
  realpath(path: string): string;
}
