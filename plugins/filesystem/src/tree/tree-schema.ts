import { z } from "zod";

/** Arguments of `tree`. */
export const treeInput = z.strictObject({
  paths: z
    .array(z.string().min(1))
    .min(1)
    .max(10)
    .default(["."])
    .describe("Folders to show, relative to the working directory or absolute."),
  depth: z.int().min(1).max(10).default(3).describe("Levels of folders to open below each path."),
  dirs_only: z.boolean().default(false).describe("Leave out everything but folders."),
  hidden: z.boolean().default(true).describe("Include names that begin with a dot; .git is never shown."),
  no_ignore: z.boolean().default(false).describe("Include what .gitignore, .ignore and .rgignore hide."),
  max_entries: z.int().min(1).max(5000).default(400).describe("Entries to show in all, shared fairly among folders."),
  per_dir: z.int().min(1).max(1000).default(50).describe("Entries to show of one folder."),
});

/** What `tree` gives. */
export const treeOutput = z.strictObject({
  content: z
    .string()
    .describe(
      "Each folder's files, then its folders with what they hold, indented by two spaces; `name/ …` was not opened, `name -> target` is a link.",
    ),
  entries: z.int().describe("Entries shown."),
  omitted: z.int().describe("Entries of opened folders that are not shown, those hidden by ignore rules apart."),
  ignored_count: z.int().optional().describe("Entries that ignore rules hide."),
  timed_out: z.boolean().optional().describe("Folders that were not reached in time are not opened."),
  notices: z.array(z.string()).optional(),
});

/** Checked arguments of `tree`. */
export type TreeInput = z.output<typeof treeInput>;
/** What a successful `tree` gives. */
export type TreeOutput = z.output<typeof treeOutput>;
