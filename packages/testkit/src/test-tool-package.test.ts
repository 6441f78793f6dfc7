import { spawn } from "node:child_process";
import { describe, expect, it } from "vitest";
import { makePackage } from "./__fixtures__/make-package.ts";
import { testToolPackage } from "./test-tool-package.ts";

/** A runner started on a folder, its words and its exit code. */
async function run(
  cwd: string,
  args: readonly string[],
): Promise<{ readonly code: number | null; readonly said: string }> {
  const child = spawn(process.execPath, args, {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NO_COLOR: "1" },
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (said += String(chunk)));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, said };
}

const RUNNERS: readonly [string, readonly string[]][] = [
  ["node:test", ["--conditions=aiw-source", "--test", "contract.test.js"]],
  ["vitest", ["node_modules/vitest/vitest.mjs", "run", "--reporter=verbose"]],
];

describe("testToolPackage", () => {
  it.each(RUNNERS)("registers tests that pass under %s", { timeout: 120_000 }, async (_name, args) => {
    await using folder = await makePackage();
    const { code, said } = await run(folder.cwd, args);
    expect(said).toContain("greet refuses unknown parameters");
    expect({ code, said }).toMatchObject({ code: 0 });
  });

  it.each(RUNNERS)("fails the run of a broken package under %s", { timeout: 120_000 }, async (_name, args) => {
    await using folder = await makePackage({ execute: "() => { throw new TypeError('no'); }" });
    const { code, said } = await run(folder.cwd, args);
    expect(said).toContain("Throw a ToolError(code, message, { suggestion }) for what can go wrong.");
    expect(code).toBe(1);
  });

  it("registers with the runner that is given", async () => {
    await using folder = await makePackage();
    const registered: string[] = [];
    const titles: string[] = [];
    await testToolPackage({
      packageDir: folder.cwd,
      title: "greetings",
      runner: { describe: (name, register) => (titles.push(name), register()), it: (name) => registered.push(name) },
    });
    expect(titles).toEqual(["greetings"]);
    expect(registered).toContain("greet refuses unknown parameters");
  });
});
