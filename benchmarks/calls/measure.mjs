// What every contender does: check that it answers rightly and refuses what is wrong, then time one call.
import assert from "node:assert/strict";
import { printTimes, timeOperation } from "../src/time-operation.ts";
import { CASES } from "./cases.mjs";

/**
 * Times `call(text, args)`, which gives the tool's value and throws for wrong arguments; `text` is what a model writes.
 * The process is given the name of the case and the number of samples.
 */
export async function measure(create) {
  const chosen = CASES[process.argv[2]];
  const samples = Number(process.argv[3]);
  const call = await create(chosen);
  const text = JSON.stringify(chosen.args);
  const { args, expected } = chosen;
  assert.deepEqual(await call(text, args), expected);
  await assertRefused(call, chosen);
  const times = await timeOperation(() => call(text, args), { samples, warmUpMs: 500 });
  assert.deepEqual(await call(text, args), expected);
  printTimes(times, expected);
}

async function assertRefused(call, { wrong }) {
  const refused = await call(JSON.stringify(wrong), wrong).then(
    () => false,
    () => true,
  );
  if (!refused) throw new Error("Wrong arguments were taken.");
}

/** The value of one of our results. */
export function toValue(result) {
  if (!result.success) throw new Error(result.error);
  return result.value;
}
