// What every contender does: check that it answers rightly and refuses what is wrong, then time one call.
import assert from "node:assert/strict";
import { printTimes, timeOperation } from "../src/time-operation.ts";
import { CASES } from "./cases.mjs";

/**
 * Times `call(text, args)`, where `text` is what a model writes; `read`, outside of the time, gives the value of what it gave
 * and throws where it is a refusal. The process is given the name of the case and the number of samples.
 */
export async function measure(create) {
  const chosen = CASES[process.argv[2]];
  const samples = Number(process.argv[3]);
  const { call, read = (value) => value } = await create(chosen);
  const { args, wrong, expected } = chosen;
  const text = JSON.stringify(args);
  assert.deepEqual(read(await call(text, args)), expected);
  const refused = await (async () => read(await call(JSON.stringify(wrong), wrong)))().then(
    () => false,
    () => true,
  );
  if (!refused) throw new Error("Wrong arguments were taken.");
  const times = await timeOperation(() => call(text, args), { samples, warmUpMs: 500 });
  assert.deepEqual(read(await call(text, args)), expected);
  printTimes(times, expected);
}

/** The value of one of our results. */
export function toValue(result) {
  if (!result.success) throw new Error(result.error);
  return result.value;
}
