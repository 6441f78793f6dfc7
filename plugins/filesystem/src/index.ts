/** Hosts enter here by discovery; programs may import the tools by name. */
import { defineToolPackage } from "@aiw/core";
import { filesystemOptions } from "./options.ts";
import { applyPatch } from "./tools/apply-patch.ts";
import { copy } from "./tools/copy.ts";
import { deleteTool } from "./tools/delete.ts";
import { edit } from "./tools/edit.ts";
import { glob } from "./tools/glob.ts";
import { grep } from "./tools/grep.ts";
import { history } from "./tools/history.ts";
import { list } from "./tools/list.ts";
import { move } from "./tools/move.ts";
import { read } from "./tools/read.ts";
import { readFile } from "./tools/read-file.ts";
import { redo } from "./tools/redo.ts";
import { tree } from "./tools/tree.ts";
import { undo } from "./tools/undo.ts";
import { write } from "./tools/write.ts";

export type { EditOutput } from "./edit/edit-schema.ts";
export type { DeleteOutput } from "./change/delete-schema.ts";
export type { TransferOutput } from "./change/transfer-schema.ts";
export { FILESYSTEM_ERROR_CODES } from "./errors.ts";
export type { FilesystemOptions } from "./options.ts";
export { ReadState, readStateKey, type LineRange, type SeenLines } from "./read-state.ts";
export type { PatchOutput } from "./patch/patch-schema.ts";
export type { GrepOutput } from "./search/grep-schema.ts";
export { applyPatch } from "./tools/apply-patch.ts";
export { copy } from "./tools/copy.ts";
export { deleteTool } from "./tools/delete.ts";
export { edit } from "./tools/edit.ts";
export { glob, type GlobOutput } from "./tools/glob.ts";
export { grep } from "./tools/grep.ts";
export { history } from "./tools/history.ts";
export { list, type ListOutput } from "./tools/list.ts";
export { move } from "./tools/move.ts";
export { read, type ReadOutput } from "./tools/read.ts";
export { readFile } from "./tools/read-file.ts";
export { redo } from "./tools/redo.ts";
export { tree } from "./tools/tree.ts";
export { undo } from "./tools/undo.ts";
export { write } from "./tools/write.ts";
export type { TreeOutput } from "./tree/tree-schema.ts";
export type { HistoryOutput } from "./undo/history-schema.ts";
export type { RevertOutput } from "./undo/revert-schema.ts";
export type { WriteOutput } from "./write/write-schema.ts";

export default defineToolPackage({
  options: filesystemOptions,
  tools: [read, readFile, write, edit, applyPatch, list, tree, glob, grep, move, copy, deleteTool, undo, redo, history],
});
