/** Structured log lines of calls. */
export interface LoggingConfig {
  /** The least severe lines that are written; `info` unless named. */
  readonly level?: "debug" | "info" | "warn" | "error" | "silent";
  /** JSON Lines; standard error unless named. */
  readonly file?: string;
}
