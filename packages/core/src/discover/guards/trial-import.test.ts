import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tryImport, type TrialVerdict } from "./trial-import.ts";

describe("tryImport", () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "aiw-trial-"));
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function attempt(code: string, timeoutMs = 10_000): Promise<TrialVerdict> {
    const file = join(folder, `module ${Math.random()}#?.mjs`);
    await writeFile(file, code);
    return tryImport(pathToFileURL(file).href, timeoutMs);
  }

  it.each<[string, string, TrialVerdict]>([
    ["is harmless", "export const a = 1;", "survived"],
    ["throws", "throw new Error('no');", "survived"],
    ["prints and keeps a timer", "console.log('x'.repeat(100_000)); setInterval(() => {}, 1000);", "survived"],
    ["exits", "process.exit(0);", "exited"],
    ["exits later in its evaluation", "await new Promise((done) => setTimeout(done, 20)); process.exit(3);", "exited"],
    ["aborts", "process.abort();", "exited"],
    ["waits on what keeps no process alive", "await new Promise((done) => setTimeout(done, 20).unref());", "survived"],
  ])("tells of a module that %s", async (_what, code, verdict) => {
    expect(await attempt(code)).toBe(verdict);
  });

  it.each(["for (;;);", "await new Promise(() => {});", "setInterval(() => {}, 1000); await new Promise(() => {});"])(
    "gives up on a module that never yields: %s",
    async (code) => {
      expect(await attempt(code, 300)).toBe("hung");
    },
  );
});
