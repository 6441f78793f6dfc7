/** Hosts enter here: the package as a whole, and its tools by name. */
export { default } from "./web-package.ts";
export { WEB_ERROR_CODES } from "./errors.ts";
export type { WebOptions } from "./options.ts";
export { webFetch } from "./tools/web-fetch.ts";
