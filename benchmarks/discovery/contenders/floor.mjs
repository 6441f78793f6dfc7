// Reads what any discovery must read, knowing beforehand where everything is, and looks at none of it.
import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";

const dir = process.argv[2];
const started = performance.now();
const { dependencies } = JSON.parse(readFileSync(`${dir}/package.json`, "utf8"));
let plugins = 0;
for (const key of Object.keys(dependencies)) {
  readFileSync(`${dir}/node_modules/${key}/package.json`);
  if (!key.startsWith("aiw-")) continue;
  readFileSync(`${dir}/node_modules/${key}/aiw-tools.json`);
  plugins += 1;
}
const milliseconds = [performance.now() - started];
process.stdout.write(`${JSON.stringify({ count: plugins * 5, milliseconds })}\n`);
