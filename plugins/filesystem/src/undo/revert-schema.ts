import { z } from "zod";

/** Arguments of `undo` and `redo`. */
export const revertInput = z.strictObject({
  count: z.int().min(1).max(20).default(1).describe("How many calls, the newest first; one call is one group."),
  undo_id: z
    .string()
    .min(1)
    .max(40)
    .optional()
    .describe('One change alone, by the undo_id its tool or history gave, such as "u12".'),
  group_id: z.string().min(1).max(40).optional().describe('All changes of one call, such as "g7"; history has it.'),
  path: z.string().min(1).max(4096).optional().describe("The newest change of this file alone."),
  merge: z
    .boolean()
    .default(false)
    .describe("Where a text was changed since, keep those changes and make both, line by line."),
  dry_run: z.boolean().default(false).describe("Say what would be done, and do nothing."),
});

const restored = z.strictObject({
  undo_id: z.string(),
  group_id: z.string(),
  path: z.string(),
  op: z
    .enum(["restored", "removed", "created", "moved"])
    .describe("What was done to the path: its bytes restored, an entry removed, made, or renamed."),
  from: z.string().optional().describe("The name it had, of what was moved."),
  etag: z.string().optional().describe("Of the file as it is now; absent where none is left, and in a dry run."),
  tool: z.string().optional().describe("The tool whose change it was."),
  additions: z.int().optional().describe("Lines that change had added."),
  deletions: z.int().optional().describe("Lines that change had taken away."),
  merged: z.boolean().optional().describe("True where later changes of the file were kept."),
});

/** What `undo` and `redo` give. */
export const revertOutput = z.strictObject({
  restored: z.array(restored),
  remaining: z.int().describe("Calls that can still go the same way."),
  dry_run: z.boolean().optional().describe("True where nothing was done."),
  notices: z.array(z.string()).optional(),
});

/** Checked arguments of `undo` and `redo`. */
export type RevertInput = z.output<typeof revertInput>;
/** What `undo` and `redo` give. */
export type RevertOutput = z.output<typeof revertOutput>;
/** One path that went back, as results have it. */
export type RestoredPath = z.output<typeof restored>;
/** Back, or forth again. */
export type Direction = "undo" | "redo";
