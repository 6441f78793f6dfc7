import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";

const main = path.resolve(import.meta.dirname, "../dist/main.js");
const manifest = path.resolve(import.meta.dirname, "../node_modules/@aiw/plugin-shell/aiw-tools.json");

/** The program as people run it needs `pnpm build`; `pnpm test` has done that. */
const isBuilt = existsSync(main) && existsSync(manifest);

function start(args: readonly string[]): {
  readonly child: ChildProcess;
  readonly text: () => string;
  readonly ended: Promise<number | null>;
} {
  const env = { PATH: process.env["PATH"], HOME: process.env["HOME"] };
  const child = spawn(process.execPath, [main, ...args], { stdio: ["ignore", "pipe", "pipe"], env });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
  return { child, text: () => output, ended: once(child, "close").then(([code]) => code as number | null) };
}

describe.skipIf(!isBuilt)("main", { timeout: 60_000 }, () => {
  it("prints its usage: asked for it gives 0, needed 2", async () => {
    const asked = start(["--help"]);
    expect([await asked.ended, asked.text()]).toEqual([0, expect.stringMatching(/^Usage: pnpm demo/u)]);
    const wrong = start(["--colour", "red"]);
    expect([await wrong.ended, wrong.text()]).toEqual([2, expect.stringMatching(/--colour[^]*Usage: pnpm demo/u)]);
    const nowhere = start(["--cwd", "/nowhere/at/all"]);
    expect([await nowhere.ended, nowhere.text()]).toEqual([
      2,
      expect.stringContaining("--cwd /nowhere/at/all is no folder."),
    ]);
  });

  it("does the default task on this repository with the real plugins and without a terminal", async () => {
    const run = start([]);
    expect([await run.ended, run.text()]).toEqual([0, expect.stringMatching(/^Done\. \d+ calls, 2 refused/mu)]);
    const output = run.text();
    expect(output).not.toContain("\u001B");
    expect(output).toMatch(/^> bash\(command="git status"\)/mu);
    expect(output).toMatch(/^ {2}ok web_fetch/mu);
    const report = /^report +(\S+)$/mu.exec(output)?.[1] ?? "";
    const text = await readFile(report, "utf8");
    await rm(path.dirname(report), { recursive: true });
    for (const fact of ["@aiw/core", "define-tool.ts", "What this run may do"]) expect(text).toContain(fact);
  });

  it("stops on Ctrl-C: the command it runs is gone, and the exit code says so", async () => {
    const command = `sleep 7${process.pid}`;
    const run = start(["--prompt", `run \`${command}\``]);
    await until(() => isRunning(command));
    run.child.kill("SIGINT");
    expect(await run.ended).toBe(130);
    expect(isRunning(command)).toBe(false);
    expect(run.text()).toMatch(/Stopping[^]*^ {2}cancelled bash[^]*^Stopped\./mu);
    const scratch = /^scratch +(\S+)$/mu.exec(run.text())?.[1] ?? "";
    expect(await readdir(scratch)).toEqual(["audit.jsonl", "audit.jsonl.head"]);
    await rm(scratch, { recursive: true });
  });
});

function isRunning(command: string): boolean {
  const all = execFileSync("ps", ["-A", "-o", "args"], { encoding: "utf8" });
  return all.split("\n").some((line) => line.trim() === command);
}

/** Waits for a fact; the test's own time limit ends a vain wait. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await setTimeout(20);
}
