/** What is in a folder. */
export interface FolderEntries {
  readonly files: string[];
  readonly directories: string[];
}

/** The disk as the compiler sees it; tests replace it. */
export interface FilePort {
  /** The text of a file, or undefined when there is none. @throws AiwError `package_not_buildable` for one that is too large, or refused. */
  readFile(path: string): string | undefined;
  /** Changes whenever the file's text may have; undefined when there is no file. */
  versionOf(path: string): string | undefined;
  directoryExists(path: string): boolean;
  /** Names; nothing of a folder that is not there. */
  readDirectory(path: string): FolderEntries;
  /** Free of links; a path that leads nowhere as it is. */
  realpath(path: string): string;
}
