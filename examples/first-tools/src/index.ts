/** Whoever wants the three example tools enters here. */
export { add } from "./add.ts";
export { countWords } from "./count-words.ts";
export { default, recall, remember } from "./notes.ts";
