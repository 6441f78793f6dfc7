import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ROOT } from "../repo/repo.ts";

/** The start of `aiw`: its executable, the entry, and what listing needs. */
const MAX_FILES = 3;

/** Bytes of these: all of them are parsed before anything is listed. */
const MAX_BYTES = 120 * 1024;

/** Modules of Node that take milliseconds to load and that listing does without. */
const HEAVY_BUILTINS = [
  "child_process",
  "crypto",
  "fs/promises",
  "http",
  "net",
  "os",
  "perf_hooks",
  "stream",
  "tls",
  "worker_threads",
  "zlib",
];

const SPEC = {
  name: "look",
  type: "function",
  description: "Looks.",
  inputSchema: { type: "object", properties: { at: { type: "string", pattern: "^a+$", format: "date" } } },
  metadata: {
    tags: [],
    permissions: [],
    effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  },
};

const FILES = {
  "package.json": { name: "project", dependencies: { "a-plugin": "^1.0.0", ordinary: "^1.0.0" } },
  "node_modules/ordinary/package.json": { name: "ordinary", version: "1.0.0" },
  "node_modules/a-plugin/package.json": {
    name: "a-plugin",
    version: "1.0.0",
    aiwhisperer: { tools: "./aiw-tools.json" },
    dependencies: { "@aiw/core": "^0.0.0" },
    engines: { node: ">=22.19" },
  },
  "node_modules/a-plugin/aiw-tools.json": {
    manifestVersion: 1,
    package: { name: "a-plugin", version: "1.0.0" },
    tools: [{ module: "./look.js", export: "look", spec: SPEC }],
  },
};

/** Asks for modules without `import`, whose namespaces would load more than what is asked for. */
const HOOK = `
const files = [];
process.getBuiltinModule("node:module").registerHooks({
  load(url, context, next) {
    files.push(url);
    return next(url, context);
  },
});
process.on("exit", () => {
  const builtins = process.moduleLoadList.flatMap((name) => /^NativeModule (.*)$/.exec(name)?.[1] ?? []);
  process.getBuiltinModule("node:fs").writeFileSync(process.env.LOADED, JSON.stringify({ files, builtins }));
});
`;

interface Loaded {
  readonly files: readonly string[];
  readonly builtins: readonly string[];
}

/** Lists the tools of a project with one plugin in a process that says what it loaded. */
function listTools(): { readonly tools: readonly { readonly id: string }[]; readonly loaded: Loaded } {
  const folder = mkdtempSync(path.join(tmpdir(), "aiw-lean-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(FILES)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), JSON.stringify(content));
  }
  writeFileSync(path.join(folder, "hook.mjs"), HOOK);
  const record = path.join(folder, "loaded.json");
  const aiw = path.join(ROOT, "packages/cli/bin/aiw.js");
  const output = execFileSync(process.execPath, ["--import", path.join(folder, "hook.mjs"), aiw, "list", "--json"], {
    cwd: folder,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: folder, LOADED: record },
  });
  const { tools } = JSON.parse(output) as { tools: readonly { id: string }[] };
  return { tools, loaded: JSON.parse(readFileSync(record, "utf8")) as Loaded };
}

describe("aiw list as built", () => {
  it("loads a handful of files, all of them its own, and no heavy module of Node", () => {
    const { tools, loaded } = listTools();
    expect(tools.map(({ id }) => id)).toEqual(["a-plugin/look"]);
    const own = `${path.join(ROOT, "packages/cli")}/`;
    const foreign = loaded.files.filter((url) => !decodeURI(url).includes(own) && !url.startsWith("node:"));
    expect(foreign, "listing needs no validator, no version library, no executor, no code of a tool").toEqual([]);
    expect(loaded.files.length, loaded.files.join("\n")).toBeLessThanOrEqual(MAX_FILES);
    expect(loaded.files.some((url) => url.endsWith("/bundle/main.js"))).toBe(true);
    const bytes = loaded.files.reduce((sum, url) => sum + statSync(new URL(url)).size, 0);
    expect(bytes, "import what listing does without where it is needed: await import(…)").toBeLessThanOrEqual(
      MAX_BYTES,
    );
    expect(loaded.builtins).toContain("fs");
    const heavy = HEAVY_BUILTINS.filter((name) => loaded.builtins.includes(name));
    expect(heavy, "import it where it is first needed, or let bundle-plugins.ts ask for it at the first call").toEqual(
      [],
    );
  });
});
