import { z } from "zod";

/** Arguments of `history`. */
export const historyInput = z.strictObject({
  limit: z.int().min(1).max(100).default(20).describe("Changes to show, the newest first."),
});

const entry = z.strictObject({
  undo_id: z.string(),
  group_id: z.string().describe("Changes of one call share it."),
  tool: z.string(),
  op: z.enum(["create", "write", "move", "copy", "delete"]),
  path: z.string(),
  from: z.string().optional().describe("The old name of what was moved or copied."),
  time: z.string().describe("When it was made, UTC."),
  additions: z.int().optional(),
  deletions: z.int().optional(),
  state: z
    .enum(["done", "undone", "interrupted"])
    .describe(
      "undone: redo makes it again; interrupted: the process ended in the middle, undo takes back what was done.",
    ),
  reversible: z.boolean().describe("False where the bytes from before were too many to be kept."),
});

/** What `history` gives. */
export const historyOutput = z.strictObject({
  entries: z.array(entry),
  total: z.int().describe("Changes that are remembered."),
  notices: z.array(z.string()).optional(),
});

/** Checked arguments of `history`. */
export type HistoryInput = z.output<typeof historyInput>;
/** What `history` gives. */
export type HistoryOutput = z.output<typeof historyOutput>;
