/** What may be loaded of a package: its files as they were compared with the lock. */
export interface PackagePin {
  /** By path from the package's folder, with `/`: `sha256-…`. */
  readonly files: ReadonlyMap<string, string>;
  /** Every file of the folder is in the list, and no other is loaded; else those are that pinned code names. */
  readonly isWhole: boolean;
  /** Compares all of it again, and says what is different now. */
  check(): string | undefined;
}
