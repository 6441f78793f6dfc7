import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  createEntry,
  ToolRegistry,
  type IsolationGrant,
  type ToolEntry,
  type ToolSpec,
  type WorkspaceRoots,
} from "@aiw/core";
import { probeSandbox } from "@aiw/sandbox";
import { describe, expect, it, onTestFinished } from "vitest";
import { UnifiedToolExecutor } from "../unified-tool-executor.ts";
import { isolatePackages } from "./isolate-packages.ts";

const isConfining = (await probeSandbox()).kind === "bubblewrap";
const PLUGINS = path.resolve(import.meta.dirname, "../../../../plugins");

interface Manifest {
  readonly tools: readonly { readonly export: string; readonly spec: ToolSpec }[];
}

/** Opens the tools of one of the project's plugins, isolated with a grant, in a workspace that holds one file. */
async function openPlugin(
  plugin: string,
  grant?: IsolationGrant,
  rules: Partial<WorkspaceRoots> = {},
): Promise<{ executor: UnifiedToolExecutor; root: string }> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), "aiw-granted-")));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await mkdir(path.join(root, "docs"));
  await writeFile(path.join(root, "docs/one.txt"), "a needle\n");
  const entries = await readEntries(plugin);
  const registry = new ToolRegistry({ sources: [{ name: "plugin", list: async () => entries }] });
  await registry.readSources();
  const workspace: WorkspaceRoots = { cwd: root, roots: [root], ...rules };
  const isolation = isolatePackages({
    config: () => ({ default: "isolated", ...(grant && { grants: { "*": grant } }) }),
    projectDir: root,
    workspace,
  });
  const executor = new UnifiedToolExecutor(registry, {
    isolation,
    approver: async () => ({ decision: "allow" }),
    workspace,
    limits: { retry: { attempts: 1 } },
  });
  onTestFinished(() => executor.close());
  return { executor, root };
}

async function readEntries(plugin: string): Promise<ToolEntry[]> {
  const directory = path.join(PLUGINS, plugin);
  const packageKey = `@aiw/plugin-${plugin}`;
  const { tools } = JSON.parse(await readFile(path.join(directory, "aiw-tools.json"), "utf8")) as Manifest;
  return tools.map(({ export: name, spec }) =>
    createEntry({
      id: `${packageKey}/${spec.name}`,
      name: spec.name,
      origin: { source: "package", package: packageKey },
      spec,
      options: {},
      resolveCode: async () => ({
        packageKey,
        directory,
        realDirectory: directory,
        module: "src/index.ts",
        export: name,
      }),
      load: () => Promise.reject(new Error("code ran in the host")),
    }),
  );
}

describe("isolatePackages: grants at work", () => {
  it("refuses what nothing grants before anything starts, and names the grant", async () => {
    const { executor } = await openPlugin("filesystem");
    expect(await executor.execute("list", {})).toMatchObject({
      success: false,
      code: "isolation_unavailable",
      suggestion: expect.stringContaining('{"@aiw/plugin-filesystem":{"workspace":"read"}}'),
    });
  });

  it.skipIf(!isConfining)("lets files be read and searched with workspace: read, and refuses writing", async () => {
    const { executor } = await openPlugin("filesystem", { workspace: "read" });
    const calls: [string, object, RegExp][] = [
      ["list", {}, /docs/u],
      ["read", { file_paths: ["docs/one.txt"] }, /a needle/u],
      ["grep", { pattern: "needle" }, /one\.txt/u],
      ["glob", { patterns: ["**/*.txt"] }, /one\.txt/u],
    ];
    for (const [name, input, found] of calls) {
      const result = await executor.execute(name, input);
      expect(result, name).toMatchObject({ success: true });
      expect(JSON.stringify(result), name).toMatch(found);
    }
    expect(await executor.execute("write", { path: "two.txt", content: "x" })).toMatchObject({
      code: "isolation_unavailable",
      suggestion: expect.stringContaining('"workspace":"write"'),
    });
  });

  it.skipIf(!isConfining)("lets files be written, synchronised to the disk, with workspace: write", async () => {
    const { executor, root } = await openPlugin("filesystem", { workspace: "write" });
    const result = await executor.execute("write", { path: "two.txt", content: "written\n" });
    // What the process keeps goes with it, and the caller hears so.
    const notices = [expect.stringContaining("kept in memory alone")];
    expect(result).toMatchObject({ success: true, value: { notices } });
    expect(await readFile(path.join(root, "two.txt"), "utf8")).toBe("written\n");
  });

  it.skipIf(!isConfining)("lets a shell start programs with processes: true, confined as the package is", async () => {
    const { executor } = await openPlugin("shell", { workspace: "write", processes: true, network: "none" });
    const result = await executor.execute("bash", { command: "cat docs/one.txt; ls -d /etc/*" });
    expect(JSON.stringify(result)).toMatch(/a needle/u);
    expect(JSON.stringify(result)).toMatch(/\/etc\/passwd/u);
    expect(JSON.stringify(result)).not.toMatch(/\/etc\/shadow/u);
  });

  it.skipIf(!isConfining)("keeps what rules name in full from programs too, denied and read-only", async () => {
    const rules = { deny: ["docs/one.txt", "private/**"], readOnly: ["vendor"] };
    const grant = { workspace: "write", processes: true, network: "none" } as const;
    const { executor, root } = await openPlugin("shell", grant, rules);
    for (const folder of ["private", "vendor", "src"]) await mkdir(path.join(root, folder));
    for (const file of ["private/key", "vendor/lib.js", "src/a.ts"])
      await writeFile(path.join(root, file), `of ${file}`);
    const reading = "cat docs/one.txt private/key vendor/lib.js src/a.ts; ls private";
    const read = JSON.stringify(await executor.execute("bash", { command: reading }));
    expect(read).toMatch(/of vendor\/lib\.js/u);
    expect(read).toMatch(/of src\/a\.ts/u);
    expect(read).not.toMatch(/needle|of private/u);
    const writing = ["echo x > vendor/lib.js", "touch vendor/new", "chmod 777 vendor/lib.js", "mkdir private/x"];
    const tried = writing.map((command) => `(${command}) && echo changed`).join("; ");
    const written = JSON.stringify(
      await executor.execute("bash", { command: `${tried}; echo x > docs/one.txt; echo x > src/a.ts && echo free` }),
    );
    expect(written).toMatch(/free/u);
    expect(written).not.toMatch(/changed/u);
    expect(await readFile(path.join(root, "vendor/lib.js"), "utf8")).toBe("of vendor/lib.js");
    expect(await readFile(path.join(root, "docs/one.txt"), "utf8")).toBe("a needle\n");
  });

  it("refuses a shell that may start no programs, and says so", async () => {
    const { executor } = await openPlugin("shell", { workspace: "write", network: "none" });
    expect(await executor.execute("bash", { command: "true" })).toMatchObject({
      code: "isolation_unavailable",
      error: expect.stringContaining("needs: process."),
      suggestion: expect.stringContaining('{"processes":true}'),
    });
  });
});
