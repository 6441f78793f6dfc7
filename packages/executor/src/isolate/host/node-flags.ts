/** What Node itself is told of a process: a second line behind the operating system, never isolation (SEC-NODE-1). */
export interface NodeLimits {
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  /** True where the process is given more than its own code: Node's permissions would break work with that, from `fsync` to programs. */
  readonly isGranted: boolean;
  /** Mebibytes of the heap. */
  readonly memoryMb: number;
}

/** Flags that say how modules are found: they must hold there as here. */
const INHERITED = /^(?:--conditions=|-C=)/u;
const INHERITED_PAIR = new Set(["--conditions", "-C"]);

/** Gives the flags that this version of Node knows. */
export function toNodeFlags(limits: NodeLimits, inherited: readonly string[] = process.execArgv): string[] {
  return [
    `--max-old-space-size=${limits.memoryMb}`,
    "--disable-warning=ExperimentalWarning",
    ...toConditions(inherited),
    ...(!limits.isGranted && isKnown("--permission") ? toPermissions(limits) : []),
  ];
}

function toPermissions({ readable, writable }: NodeLimits): string[] {
  return [
    "--permission",
    ...[...readable, ...writable].map((place) => `--allow-fs-read=${place}`),
    ...writable.map((place) => `--allow-fs-write=${place}`),
  ];
}

function isKnown(flag: string): boolean {
  return process.allowedNodeEnvironmentFlags.has(flag);
}

function toConditions(flags: readonly string[]): string[] {
  return flags.flatMap((flag, index) => {
    if (INHERITED.test(flag)) return [flag];
    const next = flags[index + 1];
    return INHERITED_PAIR.has(flag) && next !== undefined ? [`--conditions=${next}`] : [];
  });
}
