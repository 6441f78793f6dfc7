import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isRunning, ownProcess } from "./process-mark.ts";

describe("a named process", () => {
  it("runs while it runs, and by no other name", () => {
    const [pid, system] = ownProcess().split("@");
    expect(isRunning(ownProcess())).toBe(true);
    expect(isRunning(`${pid}@another system@1`)).toBe(false);
    for (const wrong of ["", "x", `@${system}@`, `0@${system}@`, `-1@${system}@`]) expect(isRunning(wrong)).toBe(false);
  });

  it("has ended when it is gone", async () => {
    const child = spawn(process.execPath, ["-e", ""]);
    await once(child, "close");
    expect(isRunning(`${child.pid}@${ownProcess().split("@")[1]}@`)).toBe(false);
  });

  it.skipIf(!existsSync("/proc/self/stat"))("is not the one that was given its number later", () => {
    const [pid, system] = ownProcess().split("@");
    expect(isRunning(`${pid}@${system}@1`)).toBe(false);
  });

  it.skipIf(!existsSync("/proc/self/stat"))("has ended although nobody waited for its end", async () => {
    // The shell's child ends; what the shell became never waits for it.
    const parent = spawn("sh", ["-c", "sleep 0.2 & echo $!; exec sleep 30"], { stdio: ["ignore", "pipe", "ignore"] });
    try {
      const [said] = (await once(parent.stdout, "data")) as [Buffer];
      const mark = `${Number(said.toString())}@${ownProcess().split("@")[1]}@`;
      await expect.poll(() => isRunning(mark), { timeout: 10_000 }).toBe(false);
      expect(existsSync(`/proc/${Number(said.toString())}/stat`)).toBe(true);
    } finally {
      parent.kill("SIGKILL");
    }
  });
});
