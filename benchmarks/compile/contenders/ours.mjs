// Specs of all functions; again after one file was edited, as `aiw build --watch` does.
import { appendFileSync } from "node:fs";
import path from "node:path";
import { createCompiler } from "@aiw/compiler";
import { printTimes } from "../../src/time-operation.ts";

const [dir, mode] = process.argv.slice(2);
const started = performance.now();
const compiler = createCompiler({ packageDir: dir, source: "./src/index.ts" });
let result = compiler.compile();
let spent = performance.now() - started;
if (mode === "again") {
  appendFileSync(path.join(dir, "src/part-0.ts"), `\nexport type Edited${process.pid} = string;\n`);
  const before = performance.now();
  result = compiler.compile();
  spent = performance.now() - before;
}
const described = result.tools.filter(({ spec }) => JSON.stringify(spec.inputSchema).includes('"maximum":1000')).length;
printTimes([spent], { described });
