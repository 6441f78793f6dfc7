import { runTool, toModelResult } from "@aiw/core";
import { add } from "./add.ts";

console.log(toModelResult(await runTool(add, { a: 2, b: 40 })));
