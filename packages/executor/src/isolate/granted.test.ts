import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createEntry, ToolRegistry, type IsolationGrant, type ToolEntry, type ToolSpec } from "@aiw/core";
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
): Promise<{ executor: UnifiedToolExecutor; root: string }> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), "aiw-granted-")));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await mkdir(path.join(root, "docs"));
  await writeFile(path.join(root, "docs/one.txt"), "a needle\n");
  const entries = await readEntries(plugin);
  const registry = new ToolRegistry({ sources: [{ name: "plugin", list: async () => entries }] });
  await registry.readSources();
  const isolation = isolatePackages({
    config: () => ({ default: "isolated", ...(grant && { grants: { "*": grant } }) }),
    projectDir: root,
    roots: [root],
  });
  const executor = new UnifiedToolExecutor(registry, {
    isolation,
    approver: async () => ({ decision: "allow" }),
    workspace: { cwd: root, roots: [root] },
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
    expect(result).toMatchObject({ success: true });
    expect(await readFile(path.join(root, "two.txt"), "utf8")).toBe("written\n");
  });

  it.skipIf(!isConfining)("lets a shell start programs with processes: true, confined as the package is", async () => {
    const { executor } = await openPlugin("shell", { workspace: "write", processes: true, network: "none" });
    const result = await executor.execute("bash", { command: "cat docs/one.txt; ls -d /etc/*" });
    expect(JSON.stringify(result)).toMatch(/a needle/u);
    expect(JSON.stringify(result)).toMatch(/\/etc\/passwd/u);
    expect(JSON.stringify(result)).not.toMatch(/\/etc\/shadow/u);
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
