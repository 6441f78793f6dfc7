import { chmod, readFile, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import * as path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { definitionHash, type ToolSpec } from "@aiw/core";
import { temporaryWorkspace, type TemporaryWorkspace } from "@aiw/testkit";

/** What the program does in the project instead of its work; in other folders it always works. */
export interface ManagerPlan {
  /** Writes of an installation after which it ends badly or hangs; all of them when absent. */
  readonly stopAfter?: number;
  /** Hangs there until it is killed; else it ends with 1. */
  readonly hangs?: true;
  /** Installs these bytes in place of the package's own index.js. */
  readonly otherCode?: string;
  /** Leaves package.json as it is. */
  readonly keepsPackageJson?: true;
  /** Bringing the tree back fails. */
  readonly failsToRestore?: true;
}

/** One package of the made-up registry. */
export interface FakePackage {
  readonly name: string;
  readonly version: string;
  /** Names of its tools; without any it declares none. */
  readonly tools?: readonly string[];
  readonly metadata?: object;
  readonly description?: string;
  readonly packageJson?: object;
  /** What the registry says beside the time. */
  readonly facts?: object;
  readonly published?: string;
}

/** One call of the program. */
export interface ManagerCall {
  readonly cwd: string;
  readonly args: readonly string[];
  readonly scripts: string | undefined;
  /** Variables of another run that lead this one elsewhere. */
  readonly misled: readonly string[];
}

/** A package manager of npm's name and command line, with a registry of its own. */
export interface FakeManager extends AsyncDisposable {
  readonly environment: { readonly PATH: string };
  plan(plan: ManagerPlan): Promise<void>;
  calls(): Promise<ManagerCall[]>;
  /** Waits until it hangs. */
  hanging(): Promise<void>;
}

const PROGRAM = `
const fs = require("node:fs"), path = require("node:path");
const home = path.dirname(__dirname);
const read = (file) => JSON.parse(fs.readFileSync(file, "utf8").replace(/^\\uFEFF/, ""));
const registry = read(path.join(home, "registry.json"));
const args = process.argv.slice(2), cwd = process.cwd();
fs.appendFileSync(path.join(home, "calls.jsonl"), JSON.stringify({ cwd, args, scripts: scripts(), misled: Object.keys(process.env).filter((name) => /^npm_config_(dry_run|global)$/i.test(name)) }) + "\\n");
// As npm reads its environment: any capitals, and the last one holds.
function scripts() { return Object.entries(process.env).filter(([name]) => name.toLowerCase().replaceAll("-", "_") === "npm_config_ignore_scripts").at(-1)?.[1]; }
const isScratch = path.basename(cwd).startsWith("aiw-look-");
const plan = isScratch ? {} : read(path.join(home, "plan.json"));
const at = args.indexOf("--"), specs = at === -1 ? [] : args.slice(at + 1);
const find = (name, version) => registry.filter((one) => one.name === name).find((one) => version === "latest" ? one.latest : one.version === version);
const split = (spec) => { const i = spec.indexOf("@", 1); return [spec.slice(0, i), spec.slice(i + 1)]; };
let writes = 0;
function step(work) {
  if (plan.stopAfter !== undefined && writes === plan.stopAfter) {
    if (!plan.hangs) { console.error("npm error code EFAKE"); process.exit(1); }
    console.error("hanging"); fs.writeFileSync(path.join(home, "hanging"), "");
    for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
  }
  writes += 1;
  work();
}
function place(one, code) {
  const dir = path.join(cwd, "node_modules", one.name);
  step(() => fs.rmSync(dir, { recursive: true, force: true }));
  step(() => fs.mkdirSync(dir, { recursive: true }));
  for (const [name, text] of Object.entries(one.files)) step(() => fs.writeFileSync(path.join(dir, name), name === "index.js" && code ? code : text));
  for (const [name, version] of Object.entries(read(path.join(dir, "package.json")).dependencies ?? {})) place(find(name, version));
}
const lockFile = path.join(cwd, "package-lock.json"), manifestFile = path.join(cwd, "package.json");
const locked = () => fs.existsSync(lockFile) ? read(lockFile).packages : {};
if (args[0] === "view") {
  const [name, version] = split(specs[0]), one = find(name, version);
  if (!one || one.silent) process.exit(1);
  console.log(JSON.stringify({ name, version, time: Object.fromEntries(registry.filter((o) => o.name === name).map((o) => [o.version, o.published])), ...one.facts }));
} else if (args[0] === "uninstall") {
  const manifest = read(manifestFile), packages = locked();
  for (const name of specs) {
    step(() => fs.rmSync(path.join(cwd, "node_modules", name, "package.json"), { force: true }));
    step(() => fs.rmSync(path.join(cwd, "node_modules", name), { recursive: true, force: true }));
    delete manifest.dependencies?.[name]; delete packages[name];
  }
  step(() => fs.writeFileSync(manifestFile, JSON.stringify(manifest, null, 2)));
  step(() => fs.writeFileSync(lockFile, JSON.stringify({ packages })));
} else if (specs.length > 0) {
  const found = specs.map((spec) => find(...split(spec)));
  if (found.includes(undefined)) { console.error("npm error code E404\\nnpm error 404 Not Found\\nnpm error 404\\nnpm error 404 Note that " + (process.env.FX_SAYS ?? "")); process.exit(1); }
  const manifest = read(manifestFile), packages = locked();
  const field = args.includes("--save-dev") ? "devDependencies" : "dependencies";
  for (const one of found) { manifest[field] = { ...manifest[field], [one.name]: "^" + one.version }; packages[one.name] = one.version; }
  if (!plan.keepsPackageJson) {
    step(() => fs.writeFileSync(manifestFile, JSON.stringify(manifest).slice(0, 20)));
    step(() => fs.writeFileSync(manifestFile, JSON.stringify(manifest, null, 2)));
  }
  for (const one of found) place(one, plan.otherCode);
  step(() => fs.writeFileSync(lockFile, "{"));
  step(() => fs.writeFileSync(lockFile, JSON.stringify({ packages })));
} else {
  if (plan.failsToRestore) { console.error("npm error code EOFFLINE"); process.exit(1); }
  plan.stopAfter = undefined;
  const packages = locked();
  fs.rmSync(path.join(cwd, "node_modules"), { recursive: true, force: true });
  for (const [name, version] of Object.entries(packages)) place(find(name, version));
}
`;

const EFFECTS = { readOnly: true, destructive: false, idempotent: true, openWorld: false };

/** Makes the program and its registry; the last version of a name is its latest. */
export async function fakeManager(packages: readonly FakePackage[]): Promise<FakeManager> {
  const registry = await Promise.all(packages.map(async (one) => ({
    ...one,
    published: one.published ?? "2020-01-01T00:00:00.000Z",
    latest: packages.findLast(({ name }) => name === one.name) === one,
    files: await toFiles(one),
  })));
  const home = await temporaryWorkspace({
    // The tests' own Node: another one may come first on the PATH.
    "bin/npm": `#!${process.execPath}\n${PROGRAM}`,
    "bin/package.json": "{}",
    "registry.json": JSON.stringify(registry),
    "plan.json": "{}",
    "calls.jsonl": "",
  });
  await chmod(home.path("bin/npm"), 0o755);
  return {
    environment: { PATH: path.join(home.cwd, "bin") },
    plan: (plan) => writeFile(path.join(home.cwd, "plan.json"), JSON.stringify(plan)),
    calls: async () => {
      const text = await readFile(path.join(home.cwd, "calls.jsonl"), "utf8");
      return text.trim().split("\n").filter(Boolean).map((line) => JSON.parse(line) as ManagerCall);
    },
    hanging: async () => {
      // A test's own time limit ends the wait.
      while (!existsSync(home.path("hanging"))) await delay(10);
    },
    [Symbol.asyncDispose]: () => home[Symbol.asyncDispose](),
  };
}

/** The files of a package, as its tarball has them. */
export async function toFiles({ name, version, tools = [], metadata, description, packageJson }: FakePackage): Promise<{ readonly [file: string]: string }> {
  const entries = await Promise.all(tools.map(async (tool) => {
    const spec = {
      name: tool,
      type: "function",
      description: description ?? `Does ${tool}.`,
      inputSchema: { type: "object", properties: {}, additionalProperties: false },
      metadata: { tags: [], permissions: [], effects: EFFECTS, ...metadata },
    } as ToolSpec;
    return { module: "./index.js", export: tool, definitionHash: await definitionHash(spec), spec };
  }));
  const declared = tools.length === 0 ? {} : { aiwhisperer: { tools: "./aiw-tools.json" } };
  return {
    "package.json": JSON.stringify({ name, version, type: "module", ...declared, ...packageJson }),
    "index.js": `export const version = ${JSON.stringify(version)};\n`,
    ...(tools.length > 0 && { "aiw-tools.json": JSON.stringify({ manifestVersion: 1, package: { name, version }, generatedBy: "test", tools: entries }) }),
  };
}
