import { spawn } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fakeWorld } from "./__fixtures__/fake-world.ts";

const MAIN = join(import.meta.dirname, "main.ts");

/** The command in a process of its own, whose standard input is closed. */
function start(
  cwd: string,
  before: readonly string[],
  words: readonly string[],
): Promise<{ code: number | null; said: string }> {
  return new Promise((resolve) => {
    let said = "";
    const child = spawn(process.execPath, [...before, MAIN, ...words], { cwd, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += String(chunk)));
    child.once("close", (code) => resolve({ code, said }));
  });
}

describe("the command", () => {
  it("asks nothing of a closed input, and makes the package by the defaults", async () => {
    await using world = await fakeWorld();
    const { code, said } = await start(world.cwd, [], ["x"]);
    expect(said).toContain("npm run check");
    expect(code).toBe(0);
    expect(await readdir(world.cwd)).toEqual(["x"]);
  });

  it("ends with 2 for wrong use", async () => {
    await using world = await fakeWorld();
    expect(await start(world.cwd, [], ["x", "--nope"])).toMatchObject({ code: 2 });
  });

  it("says which Node.js it needs to an older one", async () => {
    await using world = await fakeWorld();
    const older = `data:text/javascript,${encodeURIComponent("Object.defineProperty(process.versions, 'node', { value: '20.19.0' })")}`;
    const { code, said } = await start(world.cwd, ["--import", older], ["x"]);
    expect(said).toBe("create-tool: Node.js 22.19 or newer is needed; this is 20.19.0.\n");
    expect(code).toBe(1);
    expect(await readdir(world.cwd)).toEqual([]);
  });
});
