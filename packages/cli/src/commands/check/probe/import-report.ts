/** How the process that imported a module came to its end. */
export type ImportEnding =
  /** The import settled; what was left then is in the report. */
  | "settled"
  | "threw"
  /** Nothing was left to do, and the import was still waiting. */
  | "stuck"
  | "exited"
  /** Its time was over. */
  | "hung"
  /** It printed more than anybody reads. */
  | "flooded"
  /** No process could be started, or it was gone without a word. */
  | "lost";

/** What a process saw of one import; a process that was ended tells less. */
export interface ImportObservation {
  readonly ended: ImportEnding;
  /** Milliseconds of processor time, threads included. */
  readonly cpuMs?: number;
  readonly error?: { readonly code?: string; readonly message: string };
  /** Where it ended the process by itself. */
  readonly exitCode?: number;
  /** Thrown or rejected where nobody caught it. */
  readonly uncaught: readonly string[];
  /** Kinds of what kept the process alive. */
  readonly handles: readonly string[];
  /** Built-ins that are not what they were, such as `Array.prototype.map`. */
  readonly intrinsics: readonly string[];
  /** Global names that are new. */
  readonly globals: readonly string[];
  /** Functions of Node's modules, listeners of the process and the like that are different. */
  readonly shared: readonly string[];
  /** Ways to print that lead elsewhere now. */
  readonly redirected: readonly string[];
  /** Variables of the environment that were set, changed or removed. */
  readonly environment: readonly string[];
  readonly movedTo?: string;
  /** Connections, servers and programs. */
  readonly opened: readonly string[];
}

/** What importing one module showed. */
export interface ImportReport extends ImportObservation {
  /** As the manifest names it. */
  readonly module: string;
  readonly printed: Readonly<Record<"stdout" | "stderr", string>>;
  /** Made in the working directory, the home or the folder for temporary files, and written in the package itself. */
  readonly files: readonly string[];
  /** Programs that went on after the process. */
  readonly leftovers: readonly string[];
}
