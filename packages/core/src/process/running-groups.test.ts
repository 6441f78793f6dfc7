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

const LONG = "setsid sleep 61 & echo $! > moved; sleep 62 & echo $! > tmp; mv tmp pid; wait";
/** Tidies up when asked to end, as a well-behaved program does, and counts how often it is asked. */
const TRAPPING = `trap "echo asked >> term; sleep 0.1; exit 7" TERM; setsid sleep 61 & echo $! > moved; echo $$ > tmp; mv tmp pid; while :; do sleep 0.05; done`;
/** Goes on whatever it is asked. */
const DEAF = `trap "" TERM; setsid sleep 61 & echo $! > moved; echo $$ > tmp; mv tmp pid; while :; do sleep 0.05; done`;

/** A host that runs one long command, with `extra` of its own; `controller` aborts its call. */
function startHost(extra: string, command: string = LONG) {
  const file = join(directory, "host.mjs");
  writeFileSync(
    file,
    `import { runProcess } from ${JSON.stringify(modules.run)};
     import { buildEnvironment } from ${JSON.stringify(modules.environment)};
     const controller = new AbortController();
     ${extra}
     const outcome = await runProcess({ file: "/bin/bash", cwd: ${JSON.stringify(directory)}, environment: buildEnvironment(process.env), timeoutMs: 60000,
       args: ["--noprofile", "--norc", "-c", ${JSON.stringify(command)}],
       signal: controller.signal, maxOutputBytes: 1e6, onOutput() {} });
     process.stderr.write(JSON.stringify(outcome));`,
  );
  const child = spawn(process.execPath, ["--conditions=aiw-source", file], {
    cwd: directory,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (bytes: Buffer) => (stderr += bytes.toString()));
  const ended = new Promise<{ code: number | null; signal: string | null; stderr: string }>((resolve) =>
    child.once("exit", (code, signal) => resolve({ code, signal, stderr })),
  );
  return { child, ended };
}

/** Does something in the host once its command runs. */
function whenStarted(statement: string): string {
  return `import { existsSync } from "node:fs";
    const waiting = setInterval(() => {
      if (!existsSync("pid")) return;
      clearInterval(waiting);
      setTimeout(() => { ${statement} }, 300);
    }, 20);`;
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

  const endings: [what: string, extra: string, signal: NodeJS.Signals | undefined, expected: object][] = [
    ["nobody handles the signal", "", "SIGTERM", { signal: "SIGTERM" }],
    ["the host aborts the call", "process.once('SIGINT', () => controller.abort());", "SIGINT", { code: 0 }],
    ["the host exits at the signal", "process.on('SIGINT', () => process.exit(7));", "SIGINT", { code: 7 }],
    [
      "the host tidies up and raises the signal again",
      "process.once('SIGTERM', () => setTimeout(() => process.kill(process.pid, 'SIGTERM'), 50));",
      "SIGTERM",
      { signal: "SIGTERM" },
    ],
    [
      "a listener raises the signal again when it is alone",
      `const forward = (signal) => {
         if (process.listeners(signal).length !== 1) return;
         process.off(signal, forward);
         process.kill(process.pid, signal);
       };
       process.on("SIGTERM", forward);
       globalThis[Symbol.for("signal-exit emitter")] = { count: 1 };`,
      "SIGTERM",
      { signal: "SIGTERM" },
    ],
    ["the host exits by itself", `${whenStarted("process.exit(5)")}`, undefined, { code: 5 }],
    ["the host crashes", `${whenStarted("throw new Error('crash')")}`, undefined, { code: 1 }],
  ];

  it.each(endings)("asks a run to end first, and once, when %s", async (_what, extra, signal, expected) => {
    const { child, ended } = startHost(extra, TRAPPING);
    const pids = await waitForPids();
    if (signal !== undefined) child.kill(signal);
    expect(await ended).toMatchObject(expected);
    expect(readFileSync(join(directory, "term"), "utf8")).toBe("asked\n");
    expect(await areGone(pids)).toBe(true);
  });

  it.each(endings)("leaves no run that will not end when %s", async (_what, extra, signal, expected) => {
    const { child, ended } = startHost(extra, DEAF);
    const pids = await waitForPids();
    if (signal !== undefined) child.kill(signal);
    expect(await ended).toMatchObject(expected);
    expect(await areGone(pids)).toBe(true);
  });

  it("lets a host that goes on after a signal keep its call", async () => {
    const { child, ended } = startHost("process.on('SIGHUP', () => {});", TRAPPING);
    const pids = await waitForPids();
    child.kill("SIGHUP");
    const { code, stderr } = await ended;
    expect(code).toBe(0);
    expect(JSON.parse(stderr)).toMatchObject({ ended: "exit", exitCode: 7 });
    expect(await areGone(pids)).toBe(true);
  });
});
