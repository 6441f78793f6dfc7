import { z } from "zod";

const from = z
  .string()
  .min(1)
  .describe(
    "File, link or folder, relative to the working directory or absolute. A link is taken itself, not what it leads to.",
  );
const to = z
  .string()
  .min(1)
  .describe("New path. A folder that exists, or a path that ends in `/`, takes it in under the name it has.");
const overwrite = z
  .boolean()
  .default(false)
  .describe("Replace a file or link that has the new path; a folder is never replaced.");
const createDirs = z.boolean().default(true).describe("Make missing folders of the new path.");

/** Arguments of `move`. */
export const moveInput = z.strictObject({ from, to, overwrite, create_dirs: createDirs });

/** Arguments of `copy`. */
export const copyInput = z.strictObject({
  from,
  to,
  overwrite,
  create_dirs: createDirs,
  recursive: z.boolean().default(false).describe("Needed for a folder: copy it with all it holds."),
});

/** What `move` and `copy` give. */
export const transferOutput = z.strictObject({
  from: z.string(),
  to: z.string().describe("Where it is now."),
  entries: z.int().describe("Files, links and folders it is made of."),
  undo_id: z.string().optional(),
  reversible: z.boolean().optional().describe("False when undo cannot bring back what was replaced."),
  notices: z.array(z.string()).optional(),
});

/** Checked arguments of `move`. */
export type MoveInput = z.output<typeof moveInput>;
/** Checked arguments of `copy`. */
export type CopyInput = z.output<typeof copyInput>;
/** What `move` and `copy` give. */
export type TransferOutput = z.output<typeof transferOutput>;

/** A move or a copy that is asked for. */
export type TransferCall =
  | { readonly tool: "move"; readonly input: MoveInput }
  | { readonly tool: "copy"; readonly input: CopyInput };
