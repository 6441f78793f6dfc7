import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

let directory = "";

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "aiw-host-"));
});

afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

const modules = {
  run: new URL("run-process.ts", import.meta.url).href,
  environment: new URL("build-environment.ts", import.meta.url).href,
};

/** A host that runs one long command, with `extra` of its own. */
function startHost(extra: string) {
  const file = join(directory, "host.mjs");
  writeFileSync(
    file,
    `import { runProcess } from ${JSON.stringify(modules.run)};
     import { buildEnvironment } from ${JSON.stringify(modules.environment)};
     ${extra}
     await runProcess({ shell: "/bin/bash", cwd: ${JSON.stringify(directory)}, environment: buildEnvironment(process.env), timeoutMs: 60000,
       command: "setsid sleep 61 & echo $! > moved; sleep 62 & echo $! > tmp; mv tmp pid; wait",
       signal: new AbortController().signal, maxOutputBytes: 1e6, onOutput() {} });`,
  );
  const child = spawn(process.execPath, ["--conditions=aiw-source", file], { stdio: ["ignore", "ignore", "pipe"] });
  let stderr = "";
  child.stderr.on("data", (bytes: Buffer) => (stderr += bytes.toString()));
  const ended = new Promise<{ code: number | null; signal: string | null; stderr: string }>((resolve) =>
    child.once("exit", (code, signal) => resolve({ code, signal, stderr })),
  );
  return { child, ended };
}

async function waitForPids(): Promise<number[]> {
  for (let tries = 0; tries < 500 && !existsSync(join(directory, "pid")); tries += 1) await delay(20);
  await delay(100);
  return ["pid", "moved"].map((name) => Number(readFileSync(join(directory, name), "utf8")));
}

async function areGone(pids: readonly number[]): Promise<boolean> {
  const isAlive = (pid: number) =>
    existsSync(`/proc/${pid}`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  for (let tries = 0; tries < 50; tries += 1) {
    try {
      if (!pids.some(isAlive)) return true;
    } catch {
      // It ended between the two looks.
    }
    await delay(20);
  }
  return false;
}

describe("registerGroup", () => {
  it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "kills every run when the host gets %s, which then ends as it would have",
    async (signal) => {
      const { child, ended } = startHost("");
      const pids = await waitForPids();
      child.kill(signal);
      expect(await ended).toMatchObject({ code: null, signal });
      expect(await areGone(pids)).toBe(true);
    },
  );

  it("kills every run when the host crashes", async () => {
    const { ended } = startHost("setTimeout(() => { throw new Error('crash') }, 1500);");
    const pids = await waitForPids();
    expect((await ended).code).not.toBe(0);
    expect(await areGone(pids)).toBe(true);
  });

  it("leaves the host's own handling alone", async () => {
    const { child, ended } = startHost("process.on('SIGTERM', () => process.exit(7));");
    const pids = await waitForPids();
    child.kill("SIGTERM");
    expect(await ended).toMatchObject({ code: 7, signal: null });
    expect(await areGone(pids)).toBe(true);
  });
});
