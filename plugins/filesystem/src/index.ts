/** Hosts enter here by discovery; programs may import the tools by name. */
import { defineToolPackage } from "@aiw/core";
import { read } from "./tools/read.ts";
import { readFile } from "./tools/read-file.ts";
import { write } from "./tools/write.ts";

export { FILESYSTEM_ERROR_CODES } from "./errors.ts";
export { ReadState, readStateKey, type LineRange, type SeenLines } from "./read-state.ts";
export { read, type ReadOutput } from "./tools/read.ts";
export { readFile } from "./tools/read-file.ts";
export { write } from "./tools/write.ts";
export type { WriteOutput } from "./write/write-schema.ts";

export default defineToolPackage({ tools: [read, readFile, write] });
