import type { Tool, ToolEntry } from "@aiw/core";

/** Says which tools run elsewhere, and runs them there. */
export interface Isolation {
  /**
   * The tool to call in place of an entry's own, whose code must not run in this process; undefined where it may.
   * @throws ToolError `isolation_unavailable` for what can run neither here nor there.
   */
  toolOf(entry: ToolEntry): Tool | undefined;
  /** Ends every process. */
  close(): Promise<void>;
}
