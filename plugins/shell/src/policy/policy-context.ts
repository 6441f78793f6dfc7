/** The process that runs us, so that commands meant for it are recognised. */
export interface HostProcesses {
  /** Our own number and those of the processes above us. */
  readonly pids: readonly number[];
  /** Their names. */
  readonly names: readonly string[];
  /** Their command lines. */
  readonly commandLines: readonly string[];
}

/** The world a command is judged in. */
export interface PolicyContext {
  /** Absolute real paths. */
  readonly roots: readonly string[];
  /** Where the command starts: an absolute real path. */
  readonly directory: string;
  readonly home?: string;
  /** `PATH` of the command. */
  readonly path: string;
  /** Directories whose programs are what their names say. */
  readonly trustedDirectories: readonly string[];
  /** Mount points, which are not removed. */
  readonly mounts: readonly string[];
  readonly host: HostProcesses;
  /** Standard input is given with the call. */
  readonly hasInput: boolean;
}
