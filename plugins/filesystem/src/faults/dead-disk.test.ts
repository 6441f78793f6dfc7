import { describe, expect, it, vi } from "vitest";
import type { Bench } from "../__fixtures__/call-tool.ts";
import { attemptCall, spreadOver, type Attempt } from "../__fixtures__/fault-attempt.ts";
import { FAULT_SCENARIOS, openScenario, type FaultScenario } from "../__fixtures__/fault-scenarios.ts";
import { runs } from "../__fixtures__/runs.ts";
import { readTree } from "../__fixtures__/tree-state.ts";
import { history } from "../tools/history.ts";
import { undo } from "../tools/undo.ts";

vi.mock("node:fs/promises", async (original) => {
  const { toFaultyFiles } = await import("../__fixtures__/faulty-files.ts");
  return toFaultyFiles(await original());
});

const POINTS = runs(8);

type Tree = Record<string, string>;

const treeOf = async ({ folder }: Bench): Promise<Tree> => await readTree(folder.cwd);

/** Names of what is no version of a file, before or after; a version may have its new name already, and temporary names are aside. */
function halfDone(now: Tree, before: Tree, after: Tree): string[] {
  const versions = new Set([...Object.values(before), ...Object.values(after)]);
  return Object.keys(now).filter((name) => !name.includes(".tmp") && !versions.has(now[name] ?? ""));
}

async function rehearse(scenario: FaultScenario): Promise<{ readonly calls: number; readonly after: Tree }> {
  await using bench = await openScenario(scenario);
  const { calls } = await attemptCall(bench, scenario, { fault: "", isHit: () => false });
  return { calls, after: await treeOf(bench) };
}

/** What the tool says was not put back is all that differs. */
function expectNamed({ result }: Attempt, differing: readonly string[], place: string): void {
  if (result.success) return;
  const named = ((result.details as { not_restored?: string[] } | undefined)?.not_restored ?? []).map(String);
  const isNamed = (name: string): boolean =>
    named.some(
      (one) => one === "the workspace" || name === one || name.startsWith(`${one}/`) || one.startsWith(`${name}/`),
    );
  expect(
    differing.filter((name) => !isNamed(name)),
    `${place}; named: ${named.join()}`,
  ).toEqual([]);
}

/** Names that only a full disk refuses to serve. */
const TAKES_ROOM = new Set(["mkdir", "link", "symlink", "writeFile", "handle.write", "handle.writev", "handle.sync"]);

describe.each([
  { kind: "dies", fault: "EIO", fails: () => true },
  { kind: "is full", fault: "ENOSPC", fails: (name: string) => TAKES_ROOM.has(name) },
])("a disk that $kind from one call on", { timeout: 3_600_000 }, ({ fault, fails }) => {
  it.each(FAULT_SCENARIOS)(
    "$name: each file is old or new, and what is not put back is named and can be",
    async (scenario) => {
      const { calls, after } = await rehearse(scenario);
      for (const point of spreadOver(calls, POINTS)) {
        await using bench = await openScenario(scenario);
        const before = await treeOf(bench);
        const tried = await attemptCall(bench, scenario, {
          fault,
          isHit: (call, name) => call >= point && fails(name),
        });
        const { result } = tried;
        const place = `from ${point} of ${calls} (${tried.failed[0]}): ${result.success ? "done" : result.error}`;
        expect(tried.left, place).toBe(0);
        const now = await treeOf(bench);
        expect(halfDone(now, before, after), place).toEqual([]);
        const differing = Object.keys({ ...now, ...before }).filter((name) => now[name] !== before[name]);
        expectNamed(
          tried,
          differing.filter((name) => !name.includes(".tmp")),
          place,
        );
        if (!result.success) expect(result.code, place).toBe(fault === "EIO" ? "io_error" : "no_space");
        // What stands was done; the temporary name beside it could not go any more.
        if (!result.success) await settle(bench, scenario, { before, after, place });
      }
    },
  );
});

/** Once the disk is whole again, what is half done is taken back. */
async function settle(
  bench: Bench,
  { name }: FaultScenario,
  { before, after, place }: { readonly before: Tree; readonly after: Tree; readonly place: string },
): Promise<void> {
  const { entries } = await bench.ok(history, {});
  const isHalf = entries.some(({ state }) => state === "interrupted");
  if (isHalf) {
    await bench.ok(undo, {});
    expect(await treeOf(bench), place).toEqual(name.startsWith("undo of") ? after : before);
  }
  expect(
    Object.keys(await treeOf(bench)).filter((one) => one.includes(".tmp")),
    place,
  ).toEqual([]);
}
