import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { makeProject } from "./__fixtures__/make-project.ts";

function start(cwd: string, args: readonly string[]): ChildProcessWithoutNullStreams {
  const main = new URL("main.ts", import.meta.url).pathname;
  return spawn(process.execPath, ["--conditions=aiw-source", main, ...args], { cwd });
}

const SPEC = `{ name: "echo", type: "function", inputSchema: { type: "object" }, description: "E.",
  metadata: { tags: [], permissions: [], effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false } } }`;

describe("the aiw process", () => {
  it("says so when the folder it stands in was deleted", async () => {
    const folder = await mkdtemp(join(tmpdir(), "aiw-gone-"));
    const main = new URL("main.ts", import.meta.url).pathname;
    const child = spawn(
      "sh",
      ["-c", 'rmdir "$PWD" && exec "$0" --conditions=aiw-source "$1" list', process.execPath, main],
      {
        cwd: folder,
      },
    );
    expect(await text(child.stderr)).toContain("The working directory does not exist any more.");
    expect(child.exitCode ?? (await once(child, "exit"))[0]).toBe(4);
  });

  it("gives a slow reader everything, and stops for one that leaves", async () => {
    const names = Array.from({ length: 500 }, (_none, index) => `t${index}`);
    await using project = await makeProject();
    const tools = names.map((name) => `export const ${name} = make("${name}");`).join("\n");
    const make = `const make = (name) => ({ [Symbol.for("@aiw/core/tool")]: true, contractVersion: 1, execute: () => 1, spec: { ...${SPEC}, name, description: "x".repeat(1000) } });`;
    await project.write("node_modules/acme-tools/tools.js", `${make}\n${tools}`);
    const map = Object.fromEntries(names.map((name) => [name, `./tools.js#${name}`]));
    await project.write(
      "node_modules/acme-tools/package.json",
      JSON.stringify({ name: "acme-tools", version: "1.0.0", type: "module", aiwhisperer: { tools: map } }),
    );

    const slow = start(project.cwd, ["definitions", "--format", "mcp"]).stdout.setEncoding("utf8");
    let answer = "";
    slow.once("data", () => {
      slow.pause();
      setTimeout(() => slow.resume(), 1200);
    });
    slow.on("data", (chunk: string) => (answer += chunk));
    await new Promise((resolve) => slow.once("end", resolve));
    expect(JSON.parse(answer)).toHaveLength(names.length);

    const left = start(project.cwd, ["definitions", "--format", "mcp"]);
    left.stdout.once("data", () => left.stdout.destroy());
    const ended = new Promise((resolve) => left.once("exit", resolve));
    expect([await ended, await text(left.stderr)]).toEqual([0, ""]);
  });

  it.each([
    [0, 4],
    [7, 7],
  ])("says that code ended it before it was done with code %i, and ends with %i", async (code, status) => {
    await using project = await makeProject();
    const manifest = {
      manifestVersion: 1,
      package: { name: "acme-tools", version: "1.0.0" },
      tools: [{ module: "./tools.js", export: "echo", definitionHash: "sha256-", spec: "SPEC" }],
    };
    const spec = `{ "name": "echo", "type": "function", "inputSchema": { "type": "object" }, "description": "E.",
      "metadata": { "tags": [], "permissions": [], "effects": { "readOnly": true, "destructive": false, "idempotent": true, "openWorld": false } } }`;
    await project.write("node_modules/acme-tools/aiw-tools.json", JSON.stringify(manifest).replace('"SPEC"', spec));
    await project.write(
      "node_modules/acme-tools/package.json",
      JSON.stringify({
        name: "acme-tools",
        version: "1.0.0",
        type: "module",
        aiwhisperer: { tools: "./aiw-tools.json" },
      }),
    );
    await project.write(
      "node_modules/acme-tools/tools.js",
      `export const echo = { [Symbol.for("@aiw/core/tool")]: true, contractVersion: 1, spec: ${SPEC}, execute() { process.exit(${code}); } };`,
    );
    const child = start(project.cwd, ["call", "echo"]);
    const ended = new Promise((resolve) => child.once("exit", resolve));
    const [answer, talk] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect([answer, await ended]).toEqual(["", status]);
    expect(talk).toMatch(/^aiw: the process ended before the command was done; code of a package may/);
  });

  it("keeps what tools print out of its answer", async () => {
    await using project = await makeProject();
    await project.write(
      "node_modules/acme-tools/tools.js",
      `console.log("loading");
      process.stdout.write("wrote ");
      await new Promise((resolve) => process.stdout.write("plainly\\n", resolve));
      export const echo = { [Symbol.for("@aiw/core/tool")]: true, contractVersion: 1, spec: ${SPEC}, execute() { console.info("running"); return 1; } };`,
    );
    const child = start(project.cwd, ["call", "echo", "--json"]);
    const [answer, talk] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect(JSON.parse(answer)).toMatchObject({ success: true, value: 1 });
    expect(talk).toBe("loading\nwrote plainly\nrunning\n");
  });
});
