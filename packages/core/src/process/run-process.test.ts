import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ToolError } from "../errors/tool-error.ts";
import { buildEnvironment } from "./build-environment.ts";
import { runProcess, type RunRequest } from "./run-process.ts";

let directory = "";

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "aiw-shell-"));
});

afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

async function run(command: string, changes: Partial<RunRequest> = {}) {
  const chunks = { stdout: [] as Uint8Array[], stderr: [] as Uint8Array[] };
  const startedAt = performance.now();
  const outcome = await runProcess({
    file: "/bin/bash",
    args: ["--noprofile", "--norc", "-c", command],
    cwd: directory,
    environment: buildEnvironment(process.env),
    timeoutMs: 10_000,
    signal: new AbortController().signal,
    maxOutputBytes: 64 * 1_048_576,
    onOutput: (channel, bytes) => chunks[channel].push(bytes),
    ...changes,
  });
  const text = (channel: "stdout" | "stderr") => Buffer.concat(chunks[channel]).toString("utf8");
  return { ...outcome, stdout: text("stdout"), stderr: text("stderr"), tookMs: performance.now() - startedAt };
}

function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return !/\) Z /.test(stat);
  } catch {
    return false;
  }
}

function readPid(name: string): number {
  return Number(readFileSync(join(directory, name), "utf8").trim());
}

async function waitForFile(name: string): Promise<void> {
  for (let tries = 0; tries < 200 && !existsSync(join(directory, name)); tries += 1) await delay(20);
}

describe("runProcess", () => {
  it("gives exit code and both streams", async () => {
    const result = await run("echo out; echo err >&2; exit 3");
    expect(result).toMatchObject({
      ended: "exit",
      exitCode: 3,
      signal: null,
      stdout: "out\n",
      stderr: "err\n",
      totalBytes: { stdout: 4, stderr: 4 },
    });
  });

  it("passes the command as one argument, untouched", async () => {
    const command = "cat <<'EOF'\n! \"a\" 'b' \\\n$HOME `x` \\\\\nEOF\necho \"it's $((1+1))\" \\\n  done";
    expect((await run(command)).stdout).toBe("! \"a\" 'b' \\\n$HOME `x` \\\\\nit's 2 done\n");
  });

  it("closes standard input, or gives it", async () => {
    expect((await run("cat; echo end")).stdout).toBe("end\n");
    expect((await run("cat", { stdin: "given\n" })).stdout).toBe("given\n");
  });

  it("does not fail when the command ignores its input", async () => {
    expect(await run("exit 0", { stdin: "x".repeat(1_000_000) })).toMatchObject({ ended: "exit", exitCode: 0 });
  });

  it("returns at once from a command that leaves a background process, and stops it", async () => {
    const result = await run("sleep 60 & echo $! > pid; echo done");
    expect(result).toMatchObject({ ended: "exit", exitCode: 0, stdout: "done\n", survivors: [] });
    expect(result.tookMs).toBeLessThan(5_000);
    expect(result.leftovers).toEqual([{ pid: readPid("pid"), command: "sleep 60" }]);
    expect(isAlive(readPid("pid"))).toBe(false);
  });

  it("finds what setsid moved to a session of its own", async () => {
    const result = await run("setsid sh -c 'echo $$ > pid; exec sleep 60' > /dev/null 2>&1 & sleep 0.3; echo done");
    expect(result.leftovers.map(({ pid }) => pid)).toContain(readPid("pid"));
    expect(isAlive(readPid("pid"))).toBe(false);
  });

  it("finds what forked twice into a session of its own before the command ended", async () => {
    const result = await run("(setsid sh -c 'sleep 60 & echo $! > pid' &) ; sleep 0.3");
    expect(result.leftovers.map(({ pid }) => pid)).toContain(readPid("pid"));
    expect(isAlive(readPid("pid"))).toBe(false);
  });

  it("kills the whole group at the deadline", async () => {
    const result = await run("sleep 61 & echo $! > a; (sleep 62 & echo $! > b; wait) & wait", { timeoutMs: 500 });
    expect(result).toMatchObject({ ended: "timeout", signal: "SIGTERM", survivors: [] });
    for (const name of ["a", "b"]) expect(isAlive(readPid(name))).toBe(false);
  });

  it("kills what ignores TERM, and settles within three seconds of the deadline", async () => {
    const result = await run(
      "trap '' TERM; setsid bash -c 'trap \"\" TERM; echo $$ > pid; while :; do sleep 1; done' & while :; do sleep 1; done",
      {
        timeoutMs: 600,
      },
    );
    expect(result).toMatchObject({ ended: "timeout", signal: "SIGKILL", survivors: [] });
    expect(result.tookMs).toBeLessThan(3_600);
    expect(isAlive(readPid("pid"))).toBe(false);
  });

  it("reports a signal the command died of", async () => {
    expect(await run("kill -KILL $$")).toMatchObject({ ended: "exit", exitCode: null, signal: "SIGKILL" });
  });

  it("kills a flood at the cap", async () => {
    const result = await run("yes", { maxOutputBytes: 1_048_576 });
    expect(result.ended).toBe("output_limit");
    expect(result.stdout.length).toBeLessThanOrEqual(1_048_576);
  });

  it("starts nothing when the signal is aborted beforehand", async () => {
    const failure = await run("touch started", { signal: AbortSignal.abort() }).catch((error: unknown) => error);
    expect(ToolError.is(failure) && failure.code).toBe("cancelled");
    expect(existsSync(join(directory, "started"))).toBe(false);
  });

  it.each([0, 1, 2, 3, 5, 10])("leaves nothing when the signal is aborted %d turns after the call", async (turns) => {
    const controller = new AbortController();
    const running = run("echo $$ > pid; exec sleep 60", { signal: controller.signal });
    const ended = running.then(
      (outcome) => outcome.ended,
      (error: unknown) => (error as ToolError).code,
    );
    for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    expect(await ended).toBe("cancelled");
    if (existsSync(join(directory, "pid"))) expect(isAlive(readPid("pid"))).toBe(false);
  });

  it("stops at an abort while it runs", async () => {
    const controller = new AbortController();
    const running = run("sleep 60 & echo $! > tmp; mv tmp pid; wait", { signal: controller.signal });
    await waitForFile("pid");
    controller.abort();
    expect(await running).toMatchObject({ ended: "cancelled", survivors: [] });
    expect(isAlive(readPid("pid"))).toBe(false);
  });

  it("says when the program is missing, or the directory", async () => {
    for (const change of [{ file: "/nonexistent/bash" }, { cwd: "/nonexistent" }]) {
      const failure = await run("true", change).catch((error: unknown) => error);
      expect(ToolError.is(failure) && failure.code).toBe("spawn_failed");
    }
  });

  it("shows the command the allowed variables and no others (SEC-SH-6)", async () => {
    process.env.AIW_TEST_LEAK = "secret";
    try {
      const { stdout } = await run("env -0");
      const names = stdout.split("\0").map((entry) => entry.split("=", 1)[0] ?? "");
      const allowed = new Set([
        ...Object.keys(buildEnvironment(process.env)),
        "AIW_RUN",
        "PWD",
        "OLDPWD",
        "SHLVL",
        "_",
        "",
      ]);
      expect(names.filter((name) => !allowed.has(name))).toEqual([]);
      expect(names).not.toContain("AIW_TEST_LEAK");
    } finally {
      delete process.env.AIW_TEST_LEAK;
    }
  });

  it("leaves no listener behind", async () => {
    const count = () => ["exit", "SIGTERM", "SIGINT", "SIGHUP"].map((name) => process.listenerCount(name));
    const before = count();
    await Promise.all([run("true"), run("true"), run("sleep 0.1")]);
    expect(count()).toEqual(before);
  });
});
