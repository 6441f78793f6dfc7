import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";

const HOST = fileURLToPath(new URL("./__fixtures__/host-that-closes.ts", import.meta.url));

describe("UnifiedToolExecutor with every extension", () => {
  it("lets its process end by itself after close(), whatever ran, waited or was asked (SEC-RES-3)", async () => {
    const folder = await mkdtemp(join(tmpdir(), "aiw-engine-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const child = spawn(process.execPath, ["--conditions=aiw-source", HOST, folder], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
    const [said, complaints, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    expect({ code, complaints }).toEqual({ code: 0, complaints: "" });
    const { running, results, left } = JSON.parse(said) as { running: number; results: number; left: string[] };
    expect({ running, results }).toEqual({ running: 0, results: 16 });
    expect(left).not.toContain("Timeout");
    expect(left.filter((resource) => resource.startsWith("TCP"))).toEqual([]);
    const records = (await readFile(join(folder, "audit.jsonl"), "utf8")).trimEnd().split("\n");
    const ids = records.map((line) => (JSON.parse(line) as { callId: string }).callId);
    // The calls made here, and those within them that began.
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThanOrEqual(16);
  }, 60_000);
});
