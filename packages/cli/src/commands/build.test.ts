import { readdir, readFile, stat } from "node:fs/promises";
import { describe, expect, it, vi } from "vitest";
import { authorPackage, COMPILER_FILES, compiledTool, touch, toolText } from "../__fixtures__/author-package.ts";
import { liveAiw } from "../__fixtures__/live-aiw.ts";
import { runAiw, type EndedAiw } from "../__fixtures__/run-aiw.ts";
import { spawnAiw } from "../__fixtures__/spawn-aiw.ts";

interface Manifest {
  readonly package: object;
  readonly tools: readonly { readonly module: string; readonly export: string; readonly definitionHash: string }[];
}

async function readManifest(cwd: string, file = "aiw-tools.json"): Promise<Manifest> {
  return JSON.parse(await readFile(`${cwd}/${file}`, "utf8")) as Manifest;
}

function build(cwd: string, ...args: readonly string[]): Promise<EndedAiw> {
  return runAiw(cwd, ["build", ...args]);
}

const OLD = '{ "manifestVersion": 1, "tools": [] }';

describe("aiw build", { timeout: 60_000 }, () => {
  it("writes the manifest of the built module, and the same bytes not again", async () => {
    await using workspace = await authorPackage();
    const first = await build(workspace.cwd);
    expect(first).toMatchObject({ code: 0, err: "" });
    expect(first.out).toBe("Wrote aiw-tools.json: 1 tool of @acme/tickets 1.2.3 (find).\n");
    const manifest = await readManifest(workspace.cwd);
    expect(manifest.package).toEqual({ name: "@acme/tickets", version: "1.2.3" });
    expect(manifest.tools).toMatchObject([
      { module: "./dist/index.js", export: "find", definitionHash: expect.stringMatching(/^sha256-/) as string },
    ]);
    const before = await stat(`${workspace.cwd}/aiw-tools.json`, { bigint: true });
    expect((await build(workspace.cwd)).out).toContain("aiw-tools.json is up to date: 1 tool");
    expect((await stat(`${workspace.cwd}/aiw-tools.json`, { bigint: true })).mtimeNs).toBe(before.mtimeNs);
    expect((await readdir(workspace.cwd)).toSorted()).toEqual(["aiw-tools.json", "dist", "package.json"]);
  });

  it("says the same as data", async () => {
    await using workspace = await authorPackage();
    const { code, json } = await build(".", "--cwd", workspace.cwd, workspace.cwd, "--json");
    expect(code).toBe(0);
    expect(json()).toMatchObject({
      package: { name: "@acme/tickets", version: "1.2.3", module: "./dist/index.js" },
      manifest: `${workspace.cwd}/aiw-tools.json`,
      changed: true,
      tools: [{ name: "find", module: "./dist/index.js", export: "find", compiled: false }],
      diagnostics: [],
    });
  });

  it("says what to write in package.json of a form for development, and writes it when told", async () => {
    await using workspace = await authorPackage({
      main: "dist/index.js",
      files: ["dist"],
      aiwhisperer: { tools: { find: "./dist/index.js#find" }, note: "mine" },
    });
    const advised = await build(workspace.cwd);
    expect(advised.err).toContain('"aiwhisperer": {"apiVersion":1,"tools":"./aiw-tools.json","note":"mine"}');
    expect(advised.err).toContain('"aiw-tools.json" in "files"');
    const written = await build(workspace.cwd, "--write");
    expect(written).toMatchObject({ code: 0, err: "" });
    expect(written.out).toContain("package.json names it now.");
    const text = await readFile(`${workspace.cwd}/package.json`, "utf8");
    expect(JSON.parse(text)).toMatchObject({
      aiwhisperer: { tools: "./aiw-tools.json", note: "mine" },
      files: ["dist", "aiw-tools.json"],
    });
    expect(text).toMatch(/^\{\n  "name": "@acme\/tickets",[^]*\}\n$/);
    expect(await build(workspace.cwd, "--write")).toMatchObject({ code: 0, err: "" });
  });

  it("loses no tool that a map names", async () => {
    await using workspace = await authorPackage({
      main: "dist/index.js",
      aiwhisperer: { tools: { find: "./dist/index.js", gone: "./dist/gone.js" } },
    });
    const failed = await build(workspace.cwd);
    expect(failed.code).toBe(1);
    expect(failed.err).toContain("package.json names gone, which ./dist/index.js does not export");
  });

  it.each([
    ["ends its process", "process.exit(0);", "ended its process (exit code 0)"],
    ["throws", 'throw new Error("no database");', "no database"],
    ["exports nothing", "export const x = 1;", "exports no tool"],
    ["answers in place of the build", 'process.send?.({ kind: "made" }); process.exit(3);', "ended its process"],
  ])("fails for a module that %s, and keeps no manifest of an earlier build", async (_what, text, message) => {
    await using workspace = await authorPackage({}, { "dist/index.js": text, "aiw-tools.json": OLD });
    const failed = await build(workspace.cwd);
    expect(failed.code).toBe(1);
    expect(failed.err).toContain(message);
    expect(failed.err).toContain("Fix: ");
    expect(failed.err).toContain("was removed, so that it cannot be packed");
    expect(await readdir(workspace.cwd)).not.toContain("aiw-tools.json");
  });

  it("keeps what a module prints out of its answer, and tells the author", async () => {
    await using workspace = await authorPackage(
      {},
      { "dist/index.js": `console.log("hello \\u001b[2J");${toolText("find")}` },
    );
    const { code, out, err } = await build(workspace.cwd);
    expect(code).toBe(0);
    expect(out).toMatch(/^Wrote/);
    expect(err).toContain("./dist/index.js prints when it is loaded");
    expect(err).not.toContain("\u001B");
  });

  it("says which compiler to run first", async () => {
    await using workspace = await authorPackage({ scripts: { build: "tsc" } }, { "dist/index.js": null });
    const failed = await build(workspace.cwd, "--json");
    expect(failed.code).toBe(1);
    expect(failed.json()).toMatchObject({
      manifest: null,
      error: { code: "build_outdated", fix: expect.stringContaining("npm run build") as string },
    });
  });

  it.each<NodeJS.Signals>(["SIGINT", "SIGTERM", "SIGKILL"])(
    "ends a module that spins, when %s ends it",
    async (signal) => {
      const code =
        'import { writeFileSync } from "node:fs"; writeFileSync(new URL("pid", import.meta.url), String(process.pid)); for (;;);';
      await using workspace = await authorPackage({ main: "dist/index.js" }, { "dist/index.js": code });
      await using live = liveAiw(workspace.cwd, ["build"]);
      const readPid = (): Promise<number> => workspace.read("dist/pid").then(Number, () => 0);
      await vi.waitFor(async () => expect(await readPid()).toBeGreaterThan(0), { timeout: 60_000 });
      const pid = await readPid();
      const ended = await live.end(signal);
      expect(ended).toEqual(signal === "SIGKILL" ? { code: null, signal } : { code: 130, signal: null });
      await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), { timeout: 60_000 });
    },
  );

  it("takes the place of no file that no build wrote", async () => {
    await using workspace = await authorPackage({ aiwhisperer: { tools: "./package.json" } });
    const before = await readFile(`${workspace.cwd}/package.json`, "utf8");
    expect((await build(workspace.cwd)).err).toContain("is there already and is no manifest");
    expect(await readFile(`${workspace.cwd}/package.json`, "utf8")).toBe(before);
  });

  it("refuses a folder that is no package", async () => {
    await using workspace = await authorPackage({}, { "package.json": null });
    expect(await build(workspace.cwd)).toMatchObject({
      code: 4,
      err: expect.stringContaining("There is no package.json") as string,
    });
  });
});

const SOURCES = { "dist/index.js": "export const shout = (text) => text;", "src/index.ts": "", "remarks.json": "[]" };

describe("aiw build with @aiw/compiler", { timeout: 60_000 }, () => {
  it("makes a tool of a documented function", async () => {
    const source = `/**
 * Counts the words of a text.
 * @param text What to count in.
 * @effects pure
 */
export function countWords(text: string): number {
  return text.split(" ").length;
}
`;
    const code = "export function countWords(text) { return text.split(' ').length; }";
    await using workspace = await authorPackage({}, { "src/index.ts": source, "dist/index.js": code });
    await touch(workspace, "dist/index.js", 60);
    const built = await spawnAiw(workspace.cwd, ["build", "--json"]);
    expect(JSON.parse(built.out)).toMatchObject({
      tools: [{ name: "count_words", export: "countWords", compiled: true }],
    });
    expect((await readManifest(workspace.cwd)).tools).toMatchObject([
      { spec: { inputSchema: { required: ["text"] }, implementation: { compiled: true, parameters: ["text"] } } },
    ]);
  });
});

describe("aiw build with a compiler", { timeout: 60_000 }, () => {
  it("adds tools of functions, beside those whose code tells them", async () => {
    const tools = JSON.stringify([compiledTool("shout", "shout"), compiledTool("find", "find")]);
    const files = {
      ...COMPILER_FILES,
      ...SOURCES,
      "dist/index.js": SOURCES["dist/index.js"] + toolText("find"),
      "tools.json": tools,
    };
    await using workspace = await authorPackage({}, files);
    await touch(workspace, "dist/index.js", 60);
    const { code, json } = await build(workspace.cwd, "--json");
    expect(code).toBe(0);
    expect(json()).toMatchObject({
      tools: [
        { name: "find", compiled: false },
        { name: "shout", export: "shout", compiled: true },
      ],
    });
  });

  it("prints where an error is and what to write, and fails", async () => {
    const remarks = JSON.stringify([
      { code: "type_refused", severity: "error", message: "Map is no JSON.", fix: "Take an object." },
    ]);
    await using workspace = await authorPackage(
      {},
      { ...COMPILER_FILES, ...SOURCES, "tools.json": "[]", "remarks.json": remarks },
    );
    const failed = await build(workspace.cwd);
    expect(failed.code).toBe(1);
    expect(failed.err).toContain("src/index.ts:3:7 Map is no JSON. | Take an object.");
    expect(failed.err).toContain("One error in what ./src/index.ts exports");
    expect((await build(workspace.cwd, "--json")).json()).toMatchObject({
      diagnostics: [{ code: "type_refused", line: 3 }],
    });
  });

  it("counts remarks that ask for nothing, tells them when asked, and where nothing became a tool", async () => {
    const remarks = JSON.stringify([
      { code: "no_tool", severity: "info", message: "count is not documented.", fix: "Document it." },
    ]);
    const tools = JSON.stringify([compiledTool("shout", "shout")]);
    const files = { ...COMPILER_FILES, ...SOURCES, "tools.json": tools, "remarks.json": remarks };
    await using workspace = await authorPackage({}, files);
    await touch(workspace, "dist/index.js", 60);
    const quiet = await build(workspace.cwd);
    expect(quiet).toMatchObject({
      code: 0,
      err: expect.stringContaining("one remark that asks for nothing") as string,
    });
    expect(quiet.err).not.toContain("count is not documented");
    const all = await build(workspace.cwd, "--all");
    expect(all.err).toContain("src/index.ts:3:7 count is not documented. | Document it.");
    expect(all.err).not.toContain("asks for nothing");
    await workspace.write("tools.json", "[]");
    const failed = await build(workspace.cwd);
    expect(failed).toMatchObject({ code: 1, err: expect.stringContaining("count is not documented") as string });
  });

  it("refuses a module that is older than its source, or lacks what that exports", async () => {
    const tools = JSON.stringify([compiledTool("shout", "shout")]);
    await using workspace = await authorPackage({}, { ...COMPILER_FILES, ...SOURCES, "tools.json": tools });
    await touch(workspace, "src/index.ts", 60);
    expect((await build(workspace.cwd)).err).toContain("src/index.ts was changed after ./dist/index.js was built");
    await touch(workspace, "dist/index.js", 120);
    expect((await build(workspace.cwd)).code).toBe(0);
    await workspace.write("tools.json", JSON.stringify([compiledTool("whisper", "whisper")]));
    expect((await build(workspace.cwd)).err).toContain("./src/index.ts exports whisper, and ./dist/index.js does not");
  });
});
