import { z } from "zod";

/** Arguments of `delete`. */
export const deleteInput = z.strictObject({
  paths: z
    .array(z.string().min(1))
    .min(1)
    .max(100)
    .describe("Files, links and folders, relative to the working directory or absolute; all of them go, or none."),
  recursive: z.boolean().default(false).describe("Needed for a folder that is not empty: delete it with all it holds."),
  allow_irreversible: z
    .boolean()
    .default(false)
    .describe("Delete also what is too large to be kept, so that undo cannot bring it back."),
});

/** What `delete` gives. */
export const deleteOutput = z.strictObject({
  deleted: z.array(
    z.strictObject({
      path: z.string(),
      kind: z.enum(["file", "dir", "link", "fifo", "socket", "device", "unknown"]),
      entries: z.int().optional().describe("Files, links and folders that went with it, itself included."),
    }),
  ),
  undo_id: z.string().optional().describe("When one path was deleted."),
  group_id: z.string().optional().describe("Takes all of them back at once."),
  reversible: z.boolean(),
  notices: z.array(z.string()).optional(),
});

/** Checked arguments of `delete`. */
export type DeleteInput = z.output<typeof deleteInput>;
/** What `delete` gives. */
export type DeleteOutput = z.output<typeof deleteOutput>;
