import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { openCollector } from "./__fixtures__/collector.ts";

const PROGRAM = fileURLToPath(new URL("./__fixtures__/run-once.ts", import.meta.url));

/** Rejects when the program does not end by itself. */
async function run(endpoint: string, end: "close" | "leave"): Promise<{ readonly resources: readonly string[] }> {
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ["--conditions=aiw-source", "--disable-warning=ExperimentalWarning", PROGRAM, endpoint, end],
    { timeout: 20_000, killSignal: "SIGKILL" },
  );
  expect(stderr).toBe("");
  return JSON.parse(stdout) as { readonly resources: readonly string[] };
}

describe("telemetry, at the end", () => {
  it("leaves no timer and no socket, and everything was sent", async () => {
    await using collector = await openCollector();
    expect(await run(collector.endpoint, "close")).toEqual({ resources: [] });
    expect(collector.spans()).toHaveLength(800);
  });

  it("leaves none when the collector never answers", async () => {
    await using collector = await openCollector({ hang: true });
    expect(await run(collector.endpoint, "close")).toEqual({ resources: [] });
  });

  it("keeps no process alive that does not close it", async () => {
    await using collector = await openCollector({ hang: true });
    await expect(run(collector.endpoint, "leave")).resolves.toBeDefined();
  });

  it("writes nothing when nobody listens", async () => {
    expect(await run("http://127.0.0.1:1", "close")).toEqual({ resources: [] });
  });
});
