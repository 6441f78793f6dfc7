import { z } from "zod";

const MOST_BYTES = 1024 * 1024;

/** Arguments of `apply_patch`. */
export const patchInput = z.strictObject({
  patch: z
    .string()
    .max(MOST_BYTES)
    .refine((patch) => Buffer.byteLength(patch) <= MOST_BYTES, `expected at most ${MOST_BYTES} bytes`)
    .describe(
      'The patch: "*** Begin Patch" with "*** Add File:", "*** Update File:", "*** Move to:", "*** Delete File:", or a unified diff. ' +
        "Lines of a hunk begin with a space (kept), - (removed) or + (added).",
    ),
  path: z
    .string()
    .min(1)
    .optional()
    .describe("The file that a patch of hunks alone is for; left out where the patch names its files."),
  partial: z
    .boolean()
    .default(false)
    .describe("Apply the files and hunks that fit and list the others; otherwise all or nothing."),
  dry_run: z.boolean().default(false).describe("Check everything and show the diffs, but write nothing."),
});

const candidate = z.strictObject({
  first_line: z.int(),
  last_line: z.int(),
  similarity: z.number(),
  text: z.string(),
});

/** What `apply_patch` gives. */
export const patchOutput = z.strictObject({
  files: z.array(
    z.strictObject({
      path: z.string(),
      op: z.enum(["add", "update", "move", "delete"]),
      moved_from: z.string().optional(),
      edits: z
        .array(
          z.strictObject({
            strategy: z.string().describe("How the old lines were found."),
            replacements: z.int(),
            first_line: z.int().describe("Where the hunk begins in the file afterwards."),
          }),
        )
        .optional(),
      additions: z.int(),
      deletions: z.int(),
      diff: z.string().describe("All files together show at most 200 lines, fewer where the result would be too long."),
      etag: z
        .string()
        .optional()
        .describe("Of the file as this part of the patch leaves it; left out where it is gone, or moved as it is."),
      undo_id: z.string().optional(),
      notices: z.array(z.string()).optional(),
    }),
  ),
  failures: z
    .array(
      z.strictObject({
        path: z.string(),
        code: z.string(),
        message: z.string(),
        patch_line: z.int(),
        hunk: z.int().optional(),
        lines: z.array(z.int()).optional(),
        candidates: z.array(candidate).optional(),
        suggestion: z.string().optional(),
      }),
    )
    .optional()
    .describe("What was not applied, with partial=true."),
  group_id: z.string().optional().describe("Takes the whole patch back: undo(group_id)."),
  notices: z.array(z.string()).optional(),
});

/** Checked arguments of `apply_patch`. */
export type PatchInput = z.output<typeof patchInput>;
/** What `apply_patch` gives. */
export type PatchOutput = z.output<typeof patchOutput>;
