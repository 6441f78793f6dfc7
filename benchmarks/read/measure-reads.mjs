// What every contender does: read the same hundred lines again and again, and show that they are the right ones.
import { printTimes } from "../src/time-operation.ts";

const LIMIT = 100;

/** Times `read(file, offset, limit)`; the process is given a file, the first line, and how often. */
export async function measureReads(read) {
  const [file, offset, times] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
  const answer = judgeLines(await read(file, offset, LIMIT), offset);
  const spent = [];
  for (let index = 0; index < times; index += 1) {
    const started = performance.now();
    await read(file, offset, LIMIT);
    spent.push(performance.now() - started);
  }
  printTimes(spent, answer);
}

/** Says whether a text holds the first and the last line asked for. */
export function judgeLines(text, offset) {
  const hasAll = [offset, offset + LIMIT - 1].every((line) => text.includes(`line ${line} const`));
  return hasAll ? "the lines" : `${text.slice(0, 200)} …`;
}
