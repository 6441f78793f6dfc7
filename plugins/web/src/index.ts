/** Hosts enter here by discovery; programs may import the tool by name. */
import { defineToolPackage } from "@aiw/core";
import { webOptions } from "./options.ts";
import { webFetch } from "./tools/web-fetch.ts";

export { WEB_ERROR_CODES } from "./errors.ts";
export type { WebOptions } from "./options.ts";
export { webFetch } from "./tools/web-fetch.ts";
export type { WebFetchOutput } from "./tools/web-fetch-output.ts";

export default defineToolPackage({ options: webOptions, tools: [webFetch] });
