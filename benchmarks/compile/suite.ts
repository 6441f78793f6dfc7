import path from "node:path";
import type { Bench, Budget, Suite } from "../src/bench.ts";
import { makeSource } from "./make-source.ts";

const OURS = "aiw: specs of functions";
const PEER = "ts-json-schema-generator: schemas of their types";
const FLOOR = "reading and checking alone";

/** Whether the source is compiled for the first time, or once more in the same process. */
type Mode = "first" | "again";

/** What it costs to make tools of documented functions. */
export const suite: Suite = {
  summary: "the specs of documented functions, from TypeScript source",
  async *create({ quick, scratch }) {
    for (const count of quick ? [20] : [100, 1000]) {
      yield compare({ count, mode: "first", rounds: quick ? 1 : 7 }, scratch);
      yield compare({ count, mode: "again", rounds: quick ? 1 : 7 }, scratch);
    }
  },
};

function compare(
  { count, mode, rounds }: { readonly count: number; readonly mode: Mode; readonly rounds: number },
  scratch: string,
): Bench {
  const verify = (output: string): string | undefined => checkAnswer(output, count);
  const contender = (name: string, script: string): Bench["contenders"][number] => ({
    name,
    args: [
      `compile/contenders/${script}.mjs`,
      makeSource(path.join(scratch, `${script}-${count}-${mode}`), count),
      mode,
    ],
    verify,
  });
  return {
    title: `${count.toLocaleString("en")} functions, ${mode === "first" ? "from nothing" : "again after an edit of one file"}`,
    measure: "reported",
    base: PEER,
    rounds,
    contenders: [
      contender(OURS, "ours"),
      contender(PEER, "ts-json-schema-generator"),
      ...(mode === "first" ? [contender(FLOOR, "floor")] : []),
    ],
    budgets: [toBudget(mode)],
  };
}

/** A watched package is compiled at every edit: of what did not change, most must be kept. */
const AT_MOST: Readonly<Record<Mode, number>> = { first: 1.2, again: 0.5 };

function toBudget(mode: Mode): Budget {
  return {
    claim: `${OURS} ≤ ${AT_MOST[mode]} × ${PEER}`,
    ratio: (p10) => p10(OURS) / p10(PEER),
    atMost: AT_MOST[mode],
  };
}

function checkAnswer(output: string, count: number): string | undefined {
  const { answer } = JSON.parse(output.trimEnd().split("\n").at(-1) ?? "") as { readonly answer?: unknown };
  return JSON.stringify(answer) === JSON.stringify({ described: count }) ? undefined : JSON.stringify(answer);
}
