// Loads both readers, lets one of them read, and reports in MiB what that took at its peak.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { printTimes } from "../../src/time-operation.ts";
import { judgeLines } from "../measure-reads.mjs";
import { readBlocks } from "../read-blocks.mjs";
import { readOurs } from "../read-ours.mjs";

const [reader, what, file, line] = process.argv.slice(2);
const offset = Number(line);
const MEBIBYTE = 1024 * 1024;
const TIMES = 5;

const small = path.join(path.dirname(file), `small-${process.pid}.txt`);
writeFileSync(small, "a few words\n".repeat(200));
// Whatever is made once is there before.
await readBlocks(small, 1, 100);
await readOurs(small, 1, 100);
globalThis.gc();

const before = held();
let most = before;
const timer = setInterval(() => (most = Math.max(most, held())), 1);
let text = "";
for (let index = 0; index < TIMES; index += 1)
  text = await (reader === "ours" ? readOurs : readBlocks)(file, offset, 100);
clearInterval(timer);
most = Math.max(most, held());
const peak = what === "heap" ? (most - before) / MEBIBYTE : process.resourceUsage().maxRSS / 1024;
printTimes([peak], judgeLines(text, offset));

function held() {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
