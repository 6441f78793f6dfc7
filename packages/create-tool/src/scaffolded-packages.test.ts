import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { fakeWorld } from "./__fixtures__/fake-world.ts";
import { linkWorkspace } from "./__fixtures__/link-workspace.ts";
import { createTool } from "./create-tool.ts";

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Runs a script of package.json as a package manager does, without one. */
async function runScript(dir: string, name: string): Promise<Ended> {
  const { scripts } = JSON.parse(await readFile(join(dir, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  const own = Object.entries(process.env).filter(([variable]) => !/^(?:VITEST|NODE_|TEST$|npm_)/.test(variable));
  const node = join(process.execPath, "..");
  const path = [join(dir, "node_modules/.bin"), node, process.env["PATH"]].join(delimiter);
  let output = "";
  for (const part of (scripts[name] ?? "exit 1").split(" && ")) {
    const inner = /^npm run (\w+)$/.exec(part)?.[1];
    const ended =
      inner === undefined
        ? await runShell(part, dir, { ...Object.fromEntries(own), PATH: path })
        : await runScript(dir, inner);
    output += ended.output;
    if (ended.code !== 0) return { code: ended.code, output };
  }
  return { code: 0, output };
}

function runShell(command: string, cwd: string, env: NodeJS.ProcessEnv): Promise<Ended> {
  return new Promise((resolve) => {
    let output = "";
    const child = spawn(command, { cwd, env, shell: true, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
    child.once("close", (code) => resolve({ code, output }));
  });
}

// Every combination is run from packed packages in e2e; these three have all templates, languages and runners.
describe.skipIf(process.platform === "win32")("a scaffolded package", () => {
  it.each([
    ["function", "ts", "node"],
    ["class", "ts", "vitest"],
    ["service", "js", "node"],
  ])("passes its own tests and aiw check untouched: %s in %s under %s", { timeout: 180_000 }, async (...choices) => {
    const [template, language, test] = choices;
    // Vite takes no folder with # in its path.
    await using world = await fakeWorld(test === "vitest" ? { folder: "create tool ü-" } : {});
    const words = ["p", "--name", "@acme/p", "--template", template, "--language", language, "--test", test];
    expect(await createTool([...words, "--repository", "acme/p"], world)).toBe(0);
    const dir = join(world.cwd, "p");
    await linkWorkspace(dir);
    const { code, output } = await runScript(dir, "check");
    expect(output).toContain("Ready to publish");
    expect(code).toBe(0);
  });
});
