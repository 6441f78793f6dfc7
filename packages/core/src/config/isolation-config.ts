/** Where a package's code runs. */
export type IsolationMode = "in_process" | "isolated";

/** What the process of an isolated package is given beside its own code; what is not named is not given. */
export interface IsolationGrant {
  /** `host` gives the whole network of the host. */
  readonly network?: "none" | "host";
  /** What of the folders of a call can be touched. */
  readonly workspace?: "none" | "read" | "write";
  /** Further paths that can be read; relative ones start at the project. */
  readonly readable?: readonly string[];
  /** Further paths that can be read and written. */
  readonly writable?: readonly string[];
  /** Programs, threads and native code. */
  readonly processes?: boolean;
  /** Mebibytes of JavaScript objects, and about as many beside them. */
  readonly memoryMb?: number;
  /** `required` runs nothing where the operating system cannot confine it. */
  readonly confinement?: "required" | "auto" | "off";
}

/** Which packages run in a process of their own; a pattern is a glob on the package key, and the longest that fits decides. */
export interface IsolationConfig {
  readonly default?: IsolationMode;
  readonly packages?: { readonly [pattern: string]: IsolationMode };
  readonly grants?: { readonly [pattern: string]: IsolationGrant };
}
