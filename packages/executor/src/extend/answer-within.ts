import { withinTime } from "../call/within-time.ts";

/** Waits for an answer, but not for ever. @throws TypeError when it does not come in time. */
export async function answerWithin<Value>(answer: Promise<Value>, limitMs: number): Promise<Value> {
  if (await withinTime(answer, limitMs)) return answer;
  throw new TypeError(`No answer came within ${limitMs} ms.`);
}
