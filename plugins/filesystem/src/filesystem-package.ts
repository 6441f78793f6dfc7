import { defineToolPackage } from "@aiw/core";
import { read } from "./tools/read.ts";
import { readFile } from "./tools/read-file.ts";
import { write } from "./tools/write.ts";

export default defineToolPackage({ tools: [read, readFile, write] });
