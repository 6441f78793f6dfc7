import type { Clause } from "./split-clauses.ts";

/** One wish of the request in the planner's own terms. */
export type Intent =
  | { kind: "overview"; clause: Clause }
  | { kind: "packages"; clause: Clause }
  | { kind: "list"; clause: Clause; path: string }
  | { kind: "find_files"; clause: Clause; patterns: readonly string[]; path?: string }
  | { kind: "read"; clause: Clause; paths: readonly string[] }
  | { kind: "search"; clause: Clause; term?: string; definition: boolean; path?: string }
  | { kind: "run"; clause: Clause; command?: string }
  | { kind: "fetch"; clause: Clause; url: string }
  | { kind: "write"; clause: Clause; path: string; content?: string; mode: "create" | "overwrite" | "append" }
  | { kind: "replace"; clause: Clause; path: string; oldText: string; newText: string }
  | { kind: "go_back"; clause: Clause; direction: "undo" | "redo" }
  | { kind: "answer"; clause: Clause }
  | { kind: "use_tool"; clause: Clause; toolName?: string };

/** The intent of one kind. */
export type IntentOf<Kind extends Intent["kind"]> = Extract<Intent, { kind: Kind }>;
