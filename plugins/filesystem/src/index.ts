/** Hosts enter here: the package as a whole, and its tools by name. */
export { default } from "./filesystem-package.ts";
export { FILESYSTEM_ERROR_CODES } from "./errors.ts";
export { ReadState, readStateKey, type LineRange, type SeenLines } from "./read-state.ts";
export { read } from "./tools/read.ts";
export { readFile } from "./tools/read-file.ts";
export { write } from "./tools/write.ts";
