import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";

/** A project with one tool package, as an installer would leave it. */
export interface FakeProject extends AsyncDisposable {
  readonly directory: string;
}

/** Plain JavaScript, made without our packages, as a stranger's package may be. */
const MODULE = `
import { appendFile, readFile, readdir, writeFile } from "node:fs/promises";
const readOnly = { readOnly: true, destructive: false, idempotent: true, openWorld: false };
const unsafe = { readOnly: false, destructive: true, idempotent: false, openWorld: true };
function tool(name, description, properties, effects, execute) {
  const required = Object.keys(properties);
  return {
    [Symbol.for("@aiw/core/tool")]: true,
    contractVersion: 1,
    spec: {
      name, description, type: "function",
      inputSchema: { type: "object", properties, required },
      metadata: { tags: [], permissions: [], effects },
    },
    execute,
  };
}
const text = { type: "string" };
export const list = tool("list", "Lists a folder.", { path: text }, readOnly, async ({ path }, { workspace }) => ({
  entries: (await readdir(new URL(path + "/", "file://" + workspace.cwd + "/"))).map((name) => ({ path: name })),
}));
export const read = tool("read", "Reads files.", { file_paths: { type: "array", items: text } }, readOnly, async ({ file_paths }, { workspace }) => ({
  content: (await Promise.all(file_paths.map(async (name) => "=== " + name + " ===\\n" + (await readFile(new URL(name, "file://" + workspace.cwd + "/"), "utf8"))))).join("\\n"),
}));
export const write = tool("write", "Writes a new file.", { path: text, content: text }, unsafe, async ({ path, content }) => {
  await writeFile(path, content);
  return { path };
});
export const bash = tool("bash", "Runs a shell command.", { command: text }, unsafe, async function* ({ command }, { signal }) {
  yield "running " + command + "\\n";
  if (command === "sleep") {
    await new Promise((resolve) => {
      const timer = setInterval(() => undefined, 1000);
      signal.addEventListener("abort", () => (clearInterval(timer), resolve()));
    });
    throw signal.reason;
  }
  return { output: "done: " + command, return_code: 0 };
});
`;

/** Makes the project in a folder of its own. */
export async function createFakeProject(): Promise<FakeProject> {
  const directory = await realpath(await mkdtemp(path.join(os.tmpdir(), "aiw-fake-project-")));
  const plugin = path.join(directory, "node_modules/@fake/tools");
  await mkdir(plugin, { recursive: true });
  const tools = Object.fromEntries(["bash", "list", "read", "write"].map((name) => [name, `./index.js#${name}`]));
  const json = (value: unknown): string => JSON.stringify(value, undefined, 2);
  await writeFile(path.join(plugin, "index.js"), MODULE);
  await writeFile(path.join(plugin, "package.json"), json({ name: "@fake/tools", version: "1.0.0", type: "module", aiwhisperer: { apiVersion: 1, tools } }));
  await writeFile(
    path.join(directory, "package.json"),
    json({ name: "fake-project", description: "A project of tests.", dependencies: { "@fake/tools": "1.0.0" } }),
  );
  // Extensions are loaded from the installation that the host itself is part of.
  const workspace = createRequire(import.meta.url);
  await mkdir(path.join(directory, "node_modules/@aiw"));
  for (const name of ["@aiw/executor", "@aiw/extensions"]) {
    const installed = path.dirname(workspace.resolve(`${name}/package.json`));
    await symlink(installed, path.join(directory, "node_modules", name), "junction");
  }
  await mkdir(path.join(directory, "packages/one"), { recursive: true });
  await writeFile(path.join(directory, "packages/one/package.json"), json({ name: "@fake/one", version: "1.2.3" }));
  return {
    directory,
    async [Symbol.asyncDispose]() {
      await rm(directory, { recursive: true, force: true });
    },
  };
}
