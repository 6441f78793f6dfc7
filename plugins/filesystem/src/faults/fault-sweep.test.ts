import { readdirSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import type { Bench } from "../__fixtures__/call-tool.ts";
import { FAULT_SCENARIOS, openScenario, type FaultScenario } from "../__fixtures__/fault-scenarios.ts";
import { attemptCall, spreadOver } from "../__fixtures__/fault-attempt.ts";
import { runs } from "../__fixtures__/runs.ts";
import { readTree } from "../__fixtures__/tree-state.ts";
import { history } from "../tools/history.ts";
import { redo } from "../tools/redo.ts";
import { undo } from "../tools/undo.ts";

vi.mock("node:fs/promises", async (original) => {
  const { toFaultyFiles } = await import("../__fixtures__/faulty-files.ts");
  return toFaultyFiles(await original());
});

/** Calls of the disk that are made to fail for each tool; all of them when many runs are asked for. */
const POINTS = runs(16);

const CODES: Record<string, string> = {
  ENOSPC: "no_space",
  EACCES: "permission_denied",
  EPERM: "permission_denied",
  EIO: "io_error",
  EINTR: "io_error",
  abort: "cancelled",
};
const FAULTS = Object.keys(CODES);

const stateOf = async ({ folder }: Bench, times = false): Promise<Record<string, string>> =>
  await readTree(folder.cwd, { times });

const openFiles = (): number => (process.platform === "linux" ? readdirSync("/proc/self/fd").length : 0);

/** How often the disk is called when all goes well, and what comes of it. */
async function rehearse(scenario: FaultScenario): Promise<{ readonly calls: number; readonly after: object }> {
  await using bench = await openScenario(scenario);
  const { result, calls } = await attemptCall(bench, scenario, { fault: "", isHit: () => false });
  expect(result).toMatchObject({ success: true });
  return { calls, after: await stateOf(bench) };
}

/** The change, or the same once more on a whole disk, can be taken back and made again. */
async function expectWayBack(
  bench: Bench,
  scenario: FaultScenario,
  { before, after }: { readonly before: object; readonly after: object },
): Promise<void> {
  const isRevert = scenario.name.includes(" of: ");
  const { entries } = await bench.ok(history, { limit: 20 });
  expect(entries.filter(({ state }) => state === "interrupted")).toEqual([]);
  if (isRevert) return;
  await bench.ok(undo, {});
  expect(await stateOf(bench, true)).toEqual(before);
  await bench.ok(redo, {});
  expect(await stateOf(bench)).toEqual(after);
}

describe("one call of the disk fails", { timeout: 3_600_000 }, () => {
  it.each(FAULT_SCENARIOS)("$name: all is done or nothing", async (scenario) => {
    const { calls, after } = await rehearse(scenario);
    let turn = 0;
    for (const point of spreadOver(calls, POINTS)) {
      const faults = POINTS >= calls ? FAULTS : [FAULTS[(turn += 1) % FAULTS.length] ?? ""];
      for (const fault of faults) {
        await using bench = await openScenario(scenario);
        const before = await stateOf(bench, true);
        const files = openFiles();
        const tried = await attemptCall(bench, scenario, { fault, isHit: (call) => call === point });
        const { result, left, failed } = tried;
        const place = `${fault} at ${point} of ${calls} (${failed.join()}): ${result.success ? "done" : result.error}`;
        expect(left, place).toBe(0);
        expect(openFiles(), place).toBeLessThanOrEqual(files);
        const stands = await stateOf(bench, true);
        const isKept = !result.success && fault !== "abort";
        if (isKept) expect(stands, place).toEqual(before);
        if (result.success) expect(await stateOf(bench), place).toEqual(after);
        else expect(result.code, place).toBe(CODES[fault]);
        if (!result.success && JSON.stringify(stands) === JSON.stringify(before)) {
          await bench.ok(scenario.tool, scenario.input);
        }
        expect(await stateOf(bench), place).toEqual(after);
        await expectWayBack(bench, scenario, { before, after });
      }
    }
  });
});
