// What every contender does: edit a fresh file call by call, time all of it, and show that the file is as it should be.
import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { printTimes } from "../src/time-operation.ts";
import { makeEdits, placeFile, toCalls } from "./make-edits.mjs";

/**
 * Times `edit(calls)` of what `create(folder, file)` gives; the process is given a folder, how many edits, and how many of them
 * in one call.
 */
export async function measureEdits(create) {
  const [scratch, count, size] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
  const folder = `${scratch}/edits-${process.pid}`;
  const { text, edits, expected } = makeEdits(count);
  const file = placeFile(folder, text);
  const { edit, close } = await create(folder, file);
  const calls = toCalls(edits, size);
  const started = performance.now();
  for (const call of calls) await edit(call);
  const spent = performance.now() - started;
  assert.equal(readFileSync(file, "utf8"), expected);
  await close?.();
  rmSync(folder, { recursive: true });
  printTimes([spent], { edits: edits.length });
}
