/** What the filesystem plugin has, in the order of the registry. */
export const FILE_TOOLS = [
  "apply_patch",
  "copy",
  "delete",
  "edit",
  "glob",
  "grep",
  "history",
  "list",
  "move",
  "read",
  "read_file",
  "redo",
  "tree",
  "undo",
  "write",
] as const;
