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

  it.each([
    ["is harmless", "export const a = 1;"],
    ["prints and keeps a timer", "console.log('x'.repeat(100_000)); setInterval(() => {}, 1000);"],
    ["keeps a socket", "import { createServer } from 'node:net'; createServer().listen(0, '127.0.0.1');"],
    ["waits on what keeps no process alive", "await new Promise((done) => setTimeout(done, 20).unref());"],
    ["handles what it throws later", "process.on('uncaughtException', () => {}); setTimeout(() => { throw 1; }, 0);"],
    ["speaks to a parent it thinks it has", "process.send?.({ kind: 'hung' }); process.disconnect?.();"],
    ["changes globals", "globalThis.setTimeout = globalThis.setInterval = () => { throw new Error('no'); };"],
  ])("lets a module pass that %s", async (_what, code) => {
    expect(await attempt(code)).toEqual({ kind: "survived" });
  });

  it.each<[string, string, number | string]>([
    ["exits", "process.exit(0);", 0],
    ["exits later in its evaluation", "await new Promise((done) => setTimeout(done, 20)); process.exit(3);", 3],
    ["exits when it has loaded", "setTimeout(() => process.exit(0), 20);", 0],
    ["aborts", "process.abort();", "SIGABRT"],
  ])("tells of a module that %s", async (_what, code, by) => {
    expect(await attempt(code)).toEqual({ kind: "exited", by });
  });

  it.each([
    ["leaves a rejection", "Promise.reject(new TypeError('late'));"],
    ["throws when it has loaded", "setTimeout(() => { throw new TypeError('late'); }, 0);"],
    ["throws some time after it has loaded", "setTimeout(() => { throw new TypeError('late'); }, 50);"],
  ])("tells what it was of a module that %s", async (_what, code) => {
    expect(await attempt(code)).toMatchObject({ kind: "failed", error: { name: "TypeError", message: "late" } });
  });

  it.each([
    ["an error", "throw Object.assign(new Error('no'), { code: 'ERR_NO' });", { message: "no", code: "ERR_NO" }],
    ["no error", "throw 'text';", { name: "", message: "text" }],
    ["what cannot be shown", "throw { toString() { throw 1; } };", { message: "a value that cannot be shown" }],
  ])("tells what a module threw: %s", async (_what, code, error) => {
    expect(await attempt(code)).toMatchObject({ kind: "threw", error });
  });

  it.each([
    "for (;;);",
    "await new Promise(() => {});",
    "setInterval(() => {}, 1000); await new Promise(() => {});",
    "setTimeout(() => { for (;;); }, 20);",
  ])("gives up on a module that never yields: %s", async (code) => {
    expect(await attempt(code, 300)).toEqual({ kind: "hung" });
  });

  it("gives the module the host's own arguments", async () => {
    const [, script = "", ...rest] = process.argv;
    const wanted = JSON.stringify([script, ...rest]);
    expect(
      await attempt(`if (JSON.stringify(process.argv.slice(1)) !== ${JSON.stringify(wanted)}) process.exit(9);`),
    ).toEqual({
      kind: "survived",
    });
  });
});
