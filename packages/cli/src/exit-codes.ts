/** What the exit code of `aiw` says. */
export const EXIT = {
  ok: 0,
  /** The tool or a check failed. */
  failed: 1,
  usage: 2,
  /** Policy refused the call. */
  refused: 3,
  /** The configuration or the project's packages have a problem. */
  configuration: 4,
  /** A person pressed Ctrl-C: 128 + SIGINT. */
  interrupted: 130,
} as const;

/** One of the codes. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
