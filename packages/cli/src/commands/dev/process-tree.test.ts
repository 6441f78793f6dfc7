import { spawn } from "node:child_process";
import { describe, expect, it, vi } from "vitest";
import { hasEnded, stopTree } from "./process-tree.ts";

const STUBBORN = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);";

/** Starts a process that starts another; gives the other's number. */
async function startTwo(
  script: string,
  isGroup: boolean,
): Promise<{ readonly child: ReturnType<typeof spawn>; readonly inner: number }> {
  const outer = `const { pid } = require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(script)}]); console.log(pid); ${script}`;
  const child = spawn(process.execPath, ["-e", outer], { stdio: ["ignore", "pipe", "inherit"], detached: isGroup });
  const inner = await new Promise<number>((resolve) =>
    child.stdout.once("data", (chunk: Buffer) => resolve(Number(chunk.toString()))),
  );
  return { child, inner };
}

async function gone(pid: number): Promise<void> {
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow("ESRCH"), { timeout: 30_000, interval: 20 });
}

describe("stopTree", { timeout: 60_000 }, () => {
  it.each([
    ["in a group of its own", true, STUBBORN],
    ["in our group", false, STUBBORN],
    ["in our group, when it goes at once", false, "setInterval(() => {}, 1000);"],
  ])("ends a child %s, and what it started", async (_what, isGroup, script) => {
    const { child, inner } = await startTwo(script, isGroup);
    await stopTree({ child, isGroup });
    expect(hasEnded(child)).toBe(true);
    await gone(inner);
    await stopTree({ child, isGroup });
  });
});
