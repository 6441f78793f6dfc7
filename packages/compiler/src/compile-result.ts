import type { CompiledTool } from "@aiw/core";
import type { Diagnostic } from "./diagnostic.ts";

/** What was made of one source entry. */
export interface CompileResult {
  /** Those without an error, sorted by name. */
  readonly tools: readonly CompiledTool[];
  /** Sorted by file and place. */
  readonly diagnostics: readonly Diagnostic[];
  /** Absolute paths of what was read and may be edited, sorted; nothing of TypeScript's library or of `node_modules`. */
  readonly files: readonly string[];
}
