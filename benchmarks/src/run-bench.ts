import type { Bench, Budget } from "./bench.ts";
import { readReportedTimes, runContender } from "./run-contender.ts";
import { toTiming, type Timing } from "./statistics.ts";

/** One line of a bench's table. */
export interface Row extends Timing {
  readonly name: string;
  /** Its 10th percentile over the base's. */
  readonly ratio: number;
}

/** A budget and what was measured of it. */
export interface JudgedBudget extends Pick<Budget, "claim" | "atMost"> {
  readonly ratio: number;
  readonly holds: boolean;
}

/** What a bench showed. */
export interface BenchResult {
  readonly title: string;
  readonly measure: Bench["measure"];
  readonly unit?: "ms" | "MiB";
  readonly base: string;
  readonly rows: readonly Row[];
  readonly budgets: readonly JudgedBudget[];
}

/** Checks every contender's answer, then lets them take turns. */
export function runBench(bench: Bench): BenchResult {
  for (const contender of bench.contenders) {
    const wrong = contender.verify(runContender(contender).output);
    if (wrong !== undefined) throw new Error(`${bench.title}: ${contender.name} gave a wrong answer: ${wrong}`);
  }
  const samples = new Map(bench.contenders.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round < bench.rounds; round += 1) {
    for (const contender of rotate(bench.contenders, round)) {
      const run = runContender(contender);
      samples.get(contender.name)?.push(...(bench.measure === "process" ? [run.wallMs] : readReportedTimes(run)));
    }
  }
  return toResult(bench, new Map([...samples].map(([name, list]) => [name, toTiming(list)])));
}

/** Nobody always follows the same rival. */
function rotate<Item>(items: readonly Item[], by: number): Item[] {
  const start = by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}

function toResult(
  { title, measure, unit, base, budgets = [] }: Bench,
  timings: ReadonlyMap<string, Timing>,
): BenchResult {
  const p10 = (name: string): number => timings.get(name)?.p10 ?? Number.NaN;
  return {
    title,
    measure,
    ...(unit !== undefined && { unit }),
    base,
    rows: [...timings].map(([name, timing]) => ({ name, ...timing, ratio: timing.p10 / p10(base) })),
    budgets: budgets.map(({ claim, atMost, ratio: compute }) => {
      const ratio = compute(p10);
      return { claim, atMost, ratio, holds: ratio <= atMost };
    }),
  };
}
