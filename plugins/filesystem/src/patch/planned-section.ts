import type { PlannedChange, Workspace } from "@aiw/core/node";
import type { StructuredPatchHunk } from "diff";
import type { Turns } from "../edit/turns.ts";
import type { FailedHunk } from "./apply-hunks.ts";
import type { PatchSection } from "./patch-file.ts";
import type { PatchFiles } from "./patch-files.ts";

/** What one section of a patch comes to. */
export interface PlannedSection {
  readonly op: PatchSection["op"] | "move";
  /** As results name the file afterwards. */
  readonly shown: string;
  /** As they named it before, of a file that moves. */
  readonly movedFrom?: string;
  /** Of the file as the section leaves it; absent for what goes, or was moved unread. */
  readonly etag?: string;
  readonly before: string;
  readonly after: string;
  /** What differs between them, where that is known already. */
  readonly differences?: readonly StructuredPatchHunk[];
  readonly additions: number;
  readonly deletions: number;
  readonly hunks: readonly { readonly strategy: string; readonly first_line: number }[];
  readonly failed: readonly FailedHunk[];
  readonly changes: readonly PlannedChange[];
  /** What the caller should know of the file. */
  readonly notices?: readonly string[];
}

/** What planning needs beside the section. */
export interface SectionScope {
  readonly workspace: Workspace;
  readonly files: PatchFiles;
  readonly partial: boolean;
  readonly turns: Turns;
  readonly hardLinks: "detach" | "keep";
}
