import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { temporaryWorkspace } from "@aiw/testkit";
import { describe, expect, it, vi } from "vitest";
import { authorPackage, toolText } from "../__fixtures__/author-package.ts";
import { liveAiw } from "../__fixtures__/live-aiw.ts";
import { runAiw } from "../__fixtures__/run-aiw.ts";

const BARE = { main: "dist/index.js", files: ["dist"] };
const CORE = new URL("../../../core/src/", import.meta.url).href;

/** An agent that watches its registry and goes on calling the tool; it never starts again. */
const HOST = `
import { discoverTools } from "${CORE}node.ts";
import { runTool } from "${CORE}index.ts";
const registry = await discoverTools({ projectDir: process.cwd() });
registry.watch();
let said;
for (;;) {
  const tool = registry.getTool("find");
  const { value, error } = await runTool(tool, {});
  const now = [process.pid, registry.entries().map(({ id }) => id), tool.spec.description, error || value].join(" | ");
  if (now !== said) console.log(said = now);
  await new Promise((resolve) => setTimeout(resolve, 50));
}
`;

/** A command that says that it runs, and how it is told to end. */
const COMMAND = `
console.log("started " + process.pid + " with " + process.env.AIWHISPERER_PLUGINS_DIR);
process.on("SIGTERM", () => { console.log("asked to end"); process.exit(0); });
setInterval(() => {}, 1000);
`;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function gone(pid: number): Promise<void> {
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 60_000, interval: 20 });
}

describe("aiw dev", { timeout: 120_000 }, () => {
  it("gives a running host new code and new definitions under the same id, without a restart", async () => {
    await using author = await authorPackage(BARE, { "dist/index.js": null });
    await using app = await temporaryWorkspace({ "package.json": '{ "name": "app" }', "host.mjs": HOST });
    const helper = (answer: string): Promise<string> =>
      author.write("dist/answer.js", `export const answer = "${answer}";\n`);
    const main = (description: string): Promise<string> =>
      author.write(
        "dist/index.js",
        `import { answer } from "./answer.js";\n${toolText("find", { description }).replace('"find ran"', "answer")}`,
      );
    await helper("one");
    await main("First.");
    const command = [process.execPath, "--conditions=aiw-source", "host.mjs"];
    await using live = liveAiw(app.cwd, ["dev", author.cwd, "--", ...command]);
    const pid = /(\d+) \| dir:@acme\/tickets\/find \| First\. \| one/.exec(await live.until("First. | one"))?.[1];
    await helper("two");
    await live.until(`${pid} | dir:@acme/tickets/find | First. | two`);
    await main("Second.");
    await live.until(`${pid} | dir:@acme/tickets/find | Second. | two`);
    live.mark();
    await author.write("dist/index.js", "export const broken = ;");
    await live.until("The last good build is still served.");
    await helper("three");
    await main("Third.");
    await live.until(`${pid} | dir:@acme/tickets/find | Third. | three`);
    expect(await live.end("SIGTERM")).toEqual({ code: 130, signal: null });
    await gone(Number(pid));
    expect(existsSync(author.path("node_modules"))).toBe(false);
  });

  it.each(["aiw.lock", "AIWHISPERER_FROZEN"])("says at the start why %s keeps an agent from the tools", async (why) => {
    await using author = await authorPackage(BARE);
    await using app = await temporaryWorkspace({ "package.json": '{ "name": "app" }', "agent.mjs": COMMAND });
    const environment = why === "aiw.lock" ? {} : { [why]: "1" };
    if (why === "aiw.lock") await runAiw(app.cwd, ["lock"]);
    await using live = liveAiw(app.cwd, ["dev", author.cwd, "--", process.execPath, "agent.mjs"], environment);
    const said = (await live.until("started")).replaceAll(/\s+/g, " ");
    expect(said).toContain(`An agent in ${app.cwd} is not given these tools: `);
    expect(said).toContain("Fix: ");
    if (why === "aiw.lock") expect(said).toContain("in a project without aiw.lock");
    expect(await live.end("SIGTERM")).toEqual({ code: 130, signal: null });
    await using open = liveAiw(author.cwd, ["dev", "--json"]);
    expect(await open.until("serving")).not.toContain("refused");
    await open.end("SIGTERM");
  });

  it("prints calls that work from any folder while it runs, and leaves nothing at Ctrl-C", async () => {
    await using author = await authorPackage(BARE);
    await mkdir(author.path("node_modules/left-alone"), { recursive: true });
    await using live = liveAiw(author.cwd, ["dev"]);
    const shown = await live.until(/ call \S*dir:.*\n/);
    expect(shown).toMatch(/^Building @acme\/tickets …\nServing/);
    const [, call = "", dir = ""] = /^ {2}(AIWHISPERER_PLUGINS_DIR='?(\S+?)'? .*)$/m.exec(shown) ?? [];
    const env = { PATH: process.env["PATH"], NODE_OPTIONS: "--conditions=aiw-source", AIW_CONFIG_HOME: "/nowhere" };
    for (const cwd of [author.cwd, "/"])
      expect(execFileSync("sh", ["-c", call], { cwd, env, encoding: "utf8" })).toBe("find ran\n");
    const second = await runAiw(author.cwd, ["dev"]);
    expect(second).toMatchObject({ code: 4, err: expect.stringContaining("Another aiw dev (process") as string });
    expect(await live.end("SIGINT")).toEqual({ code: 130, signal: null });
    expect(existsSync(dir)).toBe(false);
    expect(existsSync(author.path("node_modules/left-alone"))).toBe(true);
  });

  it("takes over what a killed one left", async () => {
    await using author = await authorPackage(BARE);
    await using killed = liveAiw(author.cwd, ["dev"]);
    await killed.until(" call ");
    await killed.end("SIGKILL");
    expect(existsSync(author.path("node_modules/.aiw-dev"))).toBe(true);
    await using live = liveAiw(author.cwd, ["dev", "--json"]);
    await live.until('"event":"serving"');
    expect(await live.end("SIGINT")).toEqual({ code: 130, signal: null });
    const [line = ""] = live.out().split("\n");
    expect(JSON.parse(line)).toMatchObject({
      package: { name: "@acme/tickets", version: "1.2.3" },
      tools: [{ id: "dir:@acme/tickets/find", name: "find" }],
    });
  });

  it("runs the package's own build script, and shows what it prints only when it fails", async () => {
    const build = `import { copyFileSync, readFileSync } from "node:fs";
console.log("compiling");
if (readFileSync("src.js", "utf8").includes("wrong")) { console.log("src.js:1:1 it is wrong"); process.exit(2); }
copyFileSync("src.js", "dist/index.js");`;
    const scripts = { build: "node build.mjs" };
    await using author = await authorPackage(
      { ...BARE, scripts },
      { "build.mjs": build, "src.js": toolText("seek"), "node_modules/x/y": "" },
    );
    await using live = liveAiw(author.cwd, ["dev"]);
    await live.until("dir:@acme/tickets/seek");
    expect(live.err() + live.out()).not.toContain("compiling");
    await author.write("src.js", "wrong");
    await live.until("src.js:1:1 it is wrong");
    await live.until("The last good build is still served.");
    await author.write("src.js", toolText("find_again"));
    await live.until("Reloaded: 1 tool of @acme/tickets (find_again)");
    await live.end("SIGINT");
  });

  it("says of a build that failed while its files were written that it builds again", async () => {
    const build = `import { existsSync, writeFileSync } from "node:fs";
if (!existsSync("src.js")) { writeFileSync("src.js", ""); console.log("half of it"); process.exit(2); }`;
    await using author = await authorPackage({ ...BARE, scripts: { build: "node build.mjs" } }, { "build.mjs": build });
    await using live = liveAiw(author.cwd, ["dev"]);
    const shown = await live.until("Serving 1 tool");
    expect(shown).toContain("Changed while building; building again.\n");
    expect(shown).not.toMatch(/half of it|Nothing is served yet/);
    await live.end("SIGINT");
  });

  it("builds once while nothing changes, also where the build script replaces what is there", async () => {
    const build = `import { appendFileSync, copyFileSync, rmSync, mkdirSync } from "node:fs";
appendFileSync("node_modules/runs", "x");
rmSync("dist", { recursive: true });
mkdirSync("dist");
copyFileSync("src.js", "dist/index.js");`;
    await using author = await authorPackage(
      { ...BARE, scripts: { build: "node build.mjs" } },
      { "build.mjs": build, "src.js": toolText("seek"), "node_modules/runs": "" },
    );
    const waits = "setTimeout(() => {}, 1500)";
    await using live = liveAiw(author.cwd, ["dev", "--", process.execPath, "-e", waits]);
    expect(await live.ended()).toEqual({ code: 0, signal: null });
    expect(await author.read("node_modules/runs")).toBe("x");
  });

  it("starts a command again at each good build when told, ends with it, and keeps what the variable named", async () => {
    await using author = await authorPackage(BARE, { "command.mjs": COMMAND });
    const environment = { AIWHISPERER_PLUGINS_DIR: "/elsewhere" };
    const args = ["dev", "--restart", "--", process.execPath, author.path("command.mjs")];
    await using live = liveAiw(author.cwd, args, environment);
    const first = /started (\d+) with (\S+)/.exec(await live.until(/started \d+ with \S+\n/));
    expect(first?.[2]).toBe(`${author.path("node_modules/.aiw-dev")}:/elsewhere`);
    live.mark();
    await author.write("dist/index.js", toolText("find", { answer: "other" }));
    await live.until("asked to end");
    const second = /started (\d+)/.exec(await live.until(/started \d+ with/))?.[1];
    expect(second).not.toBe(first?.[1]);
    await gone(Number(first?.[1]));
    expect(await live.end("SIGINT")).toEqual({ code: 130, signal: null });
    await gone(Number(second));
  });

  it.each([
    ["ends well", "0", 0],
    ["fails", "7", 1],
  ])("ends when its command %s", async (_what, code, expected) => {
    await using author = await authorPackage(BARE);
    await using live = liveAiw(author.cwd, ["dev", "--", process.execPath, "-e", `process.exit(${code})`]);
    expect(await live.ended()).toEqual({ code: expected, signal: null });
    expect(existsSync(author.path("node_modules"))).toBe(false);
  });

  it("ends a command that does not end when it is asked, and what that started", async () => {
    const stubborn = `import { spawn } from "node:child_process";
process.on("SIGTERM", () => {}); process.on("SIGINT", () => {});
const child = spawn(process.execPath, ["-e", "process.on('SIGTERM', () => {}); process.on('SIGINT', () => {}); setInterval(() => {}, 1000)"], { stdio: "inherit" });
console.log("pids " + process.pid + " " + child.pid); setInterval(() => {}, 1000);`;
    await using author = await authorPackage(BARE, { "stubborn.mjs": stubborn });
    await using live = liveAiw(author.cwd, ["dev", "--", process.execPath, "stubborn.mjs"]);
    const pids = /pids (\d+) (\d+)/.exec(await live.until(/pids \d+ \d+\n/));
    await live.end("SIGTERM");
    await gone(Number(pids?.[1]));
    await gone(Number(pids?.[2]));
  });

  it("refuses what is no package, no program, or a command without --", async () => {
    await using author = await authorPackage(BARE);
    expect(await runAiw(author.cwd, ["dev", "dist"])).toMatchObject({ code: 4 });
    expect(await runAiw(author.cwd, ["dev", ".", "node", "x.js"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("aiw dev -- node x.js") as string,
    });
    expect(await runAiw(author.cwd, ["dev", "--restart"])).toMatchObject({ code: 2 });
    const missing = await runAiw(author.cwd, ["dev", "--", "/no/such/program"]);
    expect(missing).toMatchObject({
      code: 4,
      err: expect.stringContaining("/no/such/program cannot be started") as string,
    });
    expect(existsSync(author.path("node_modules"))).toBe(false);
  });
});
