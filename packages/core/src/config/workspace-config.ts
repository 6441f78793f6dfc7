/** Which folders the tools of a project may touch, and what in them they may not. */
export interface WorkspaceConfig {
  /** Further folders; relative ones start at the project, `~` is the user's home. */
  readonly roots?: readonly string[];
  /** Folders in which nothing is written. */
  readonly readOnly?: readonly string[];
  /** Patterns of paths that are neither read nor written. */
  readonly deny?: readonly string[];
  /** Where what takes changes of files back is kept. */
  readonly history?: "disk" | "memory";
}
