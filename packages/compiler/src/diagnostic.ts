import type { DiagnosticCode } from "./diagnostic-codes.ts";

/** `error` keeps a tool out and fails a build; `warning` names what a model will miss; `info` says why an export is no tool. */
export type DiagnosticSeverity = "error" | "warning" | "info";

/** One remark on the source, and what to write there. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: DiagnosticSeverity;
  /** Absolute. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units. */
  readonly column: number;
  /** The tool that is concerned, when its name is known. */
  readonly tool?: string;
  readonly message: string;
  /** What to write. */
  readonly fix: string;
}
