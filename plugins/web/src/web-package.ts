import { defineToolPackage } from "@aiw/core";
import { webOptions } from "./options.ts";
import { webFetch } from "./tools/web-fetch.ts";

export default defineToolPackage({ options: webOptions, tools: [webFetch] });
