import { runTool, type ToolResult } from "@aiw/core";
import type { Bench } from "./call-tool.ts";
import type { FaultScenario } from "./fault-scenarios.ts";
import { withFate, type Fate } from "./faulty-files.ts";

/** What a call came to on a disk that fails. */
export interface Attempt {
  readonly result: ToolResult<unknown>;
  readonly calls: number;
  /** Handles that nobody closed. */
  readonly left: number;
  /** Names of the calls of the disk that were made to fail. */
  readonly failed: readonly string[];
}

/** Makes the call of a scenario while those calls of the disk fail that are hit; the fault `abort` stops the call instead. */
export async function attemptCall(
  bench: Bench,
  { tool, input }: FaultScenario,
  { fault, isHit }: { readonly fault: string; readonly isHit: (call: number, name: string) => boolean },
): Promise<Attempt> {
  const stop = new AbortController();
  const failed: string[] = [];
  const fate: Fate = ({ number, name }) => {
    if (!isHit(number, name)) return undefined;
    failed.push(name);
    if (fault !== "abort") return fault;
    stop.abort();
    return undefined;
  };
  const environment = { ...bench.fake.environment, signal: stop.signal };
  return { ...(await withFate(fate, async () => await runTool(tool, input, environment))), failed };
}

/** Numbers from 1 to `calls`, as many as asked for and evenly spread. */
export function* spreadOver(calls: number, points: number): Generator<number> {
  const step = Math.max(1, calls / points);
  for (let point = 1; point <= calls; point += step) yield Math.floor(point);
}
