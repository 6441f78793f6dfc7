import { performance } from "node:perf_hooks";

/** Milliseconds that one sample lasts at least: the clock's grain and its own cost vanish in it. */
const SAMPLE_MS = 1;

/** How long an operation is repeated. */
export interface TimeOperationOptions {
  readonly samples?: number;
  /** Milliseconds of repetition before the first sample, for the compiler to settle. */
  readonly warmUpMs?: number;
}

/** Repeats an operation in this process and gives the milliseconds of one, sample by sample. */
export async function timeOperation(
  operation: () => unknown,
  { samples = 50, warmUpMs = 300 }: TimeOperationOptions = {},
): Promise<number[]> {
  const repeat = operation() instanceof Promise ? repeatAwaited : repeatPlain;
  let count = 1;
  const warmUntil = performance.now() + warmUpMs;
  for (;;) {
    const spent = await repeat(operation, count);
    if (spent < SAMPLE_MS) count *= 2;
    else if (performance.now() >= warmUntil) break;
  }
  const times: number[] = [];
  for (let index = 0; index < samples; index += 1) times.push((await repeat(operation, count)) / count);
  return times;
}

/** Prints times as a contender of a `reported` bench does. */
export function printTimes(milliseconds: readonly number[], answer?: unknown): void {
  process.stdout.write(`${JSON.stringify({ answer, milliseconds })}\n`);
}

function repeatPlain(operation: () => unknown, count: number): number {
  const started = performance.now();
  for (let index = 0; index < count; index += 1) operation();
  return performance.now() - started;
}

async function repeatAwaited(operation: () => unknown, count: number): Promise<number> {
  const started = performance.now();
  for (let index = 0; index < count; index += 1) await operation();
  return performance.now() - started;
}
