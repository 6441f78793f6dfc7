import { readdir } from "node:fs/promises";
import * as path from "node:path";
import { defineTool, ToolRegistry, type ToolResult } from "@aiw/core";
import { applyChanges, createTrustStore, discoverTools, openWorkspace } from "@aiw/core/node";
import { temporaryWorkspace } from "@aiw/testkit";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { openTools } from "./open-tools.ts";

/** Reads and writes as a file tool does: through the folders of its call. */
const file = defineTool({
  name: "file",
  description: "Reads a file, or writes it.",
  effects: "pure",
  input: z.object({ path: z.string(), write: z.boolean().optional() }),
  async execute({ path: name, write }, context) {
    await using files = await openWorkspace(context.workspace);
    if (write === true) return (await files.writeFile(name, "new")).created;
    return new TextDecoder().decode((await files.readFile(name, { maxBytes: 100 })).bytes);
  },
});

/** Changes a file as any package does. */
const change = defineTool({
  name: "change",
  description: "Writes a file.",
  effects: "pure",
  input: z.object({ path: z.string() }),
  async execute({ path: name }, context) {
    await using files = await openWorkspace(context.workspace);
    const content = new TextEncoder().encode("new");
    const changes = [{ op: "write" as const, path: name, content, options: { mode: "create" as const } }];
    return (await applyChanges(context, files, { tool: "change", title: "Changed", changes })).notices;
  },
});

async function project(config: unknown) {
  const folder = await temporaryWorkspace({
    "app/package.json": JSON.stringify({ name: "shop", version: "1.0.0" }),
    "app/aiw.config.json": JSON.stringify(config),
    "app/keys/one.pem": "key",
    "app/sub/a.txt": "a",
    "library/b.txt": "b",
  });
  const home = await temporaryWorkspace({});
  vi.stubEnv("AIW_CONFIG_HOME", home.cwd);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await folder[Symbol.asyncDispose]();
    await home[Symbol.asyncDispose]();
  });
  return path.join(folder.cwd, "app");
}

const outcome = (result: ToolResult): unknown => (result.success ? result.value : result.code);

describe("openTools with workspace in aiw.config.json", () => {
  it("holds what it denies and what is read-only at once, and its roots after a person trusted them (SEC-FS-7, SEC-FS-8)", async () => {
    const projectDir = await project({ workspace: { roots: ["../library"], readOnly: ["sub"], deny: ["*.pem"] } });
    const open = async () => {
      const registry = await discoverTools({ projectDir });
      registry.register(file);
      return await openTools({ projectDir, registry });
    };
    await using before = await open();
    const call = async (tools: typeof before, name: string, write = false): Promise<unknown> =>
      outcome(await tools.executeTool("file", { path: name, write }));
    expect(await call(before, "keys/one.pem")).toBe("denied_by_policy");
    expect(await call(before, "sub/a.txt")).toBe("a");
    expect(await call(before, "sub/new", true)).toBe("denied_by_policy");
    expect(await call(before, "../library/b.txt")).toBe("outside_root");
    for (const request of before.registry.report.waiting) await createTrustStore().add(request);
    await using after = await open();
    expect(await call(after, "../library/b.txt")).toBe("b");
    expect(await call(after, "keys/one.pem")).toBe("denied_by_policy");
  });

  it("holds its rules over folders that a host or a call names", async () => {
    const projectDir = await project({ workspace: { deny: ["keys/*"] } });
    const registry = new ToolRegistry();
    registry.register(file);
    const workspace = { cwd: path.join(projectDir, "sub"), roots: [projectDir] };
    const config = { workspace: { deny: ["*.txt"] } };
    await using tools = await openTools({ projectDir, registry, workspace, config });
    expect(outcome(await tools.executeTool("file", { path: "a.txt" }))).toBe("denied_by_policy");
    const roots = { cwd: projectDir, roots: [projectDir] };
    expect(outcome(await tools.executeTool("file", { path: "sub/a.txt" }, { workspace: roots }))).toBe(
      "denied_by_policy",
    );
  });

  it("keeps the history of changes in memory once that is trusted, whatever changes files and whichever folders a call names", async () => {
    const projectDir = await project({ workspace: { history: "memory" } });
    const state = await temporaryWorkspace({});
    onTestFinished(async () => await state[Symbol.asyncDispose]());
    vi.stubEnv("AIW_STATE_HOME", path.join(state.cwd, "aiw"));
    const open = async () => {
      const registry = await discoverTools({ projectDir });
      registry.register(change);
      return await openTools({ projectDir, registry });
    };
    const workspace = { cwd: projectDir, roots: [projectDir], history: "disk" as const };
    const first = await open();
    const waiting = first.registry.report.waiting;
    expect(waiting).toHaveLength(1);
    for (const request of waiting) await createTrustStore().add(request);
    await using after = await open();
    expect(outcome(await after.executeTool("change", { path: "one" }, { workspace }))).toMatchObject([
      expect.stringContaining("in memory alone"),
    ]);
    expect(outcome(await after.executeTool("change", { path: "two" }))).toEqual([]);
    expect(await readdir(state.cwd)).toEqual([]);
    await after.undo();
    expect((await readdir(projectDir)).toSorted()).not.toContain("two");
    expect(outcome(await first.executeTool("change", { path: "three" }))).toEqual([]);
    expect(await readdir(state.cwd)).toEqual(["aiw"]);
    await first[Symbol.asyncDispose]();
  });

  it("refuses to open with a rule that cannot be read", async () => {
    const projectDir = await project({ workspace: { deny: ["a[b"] } });
    await expect(openTools({ projectDir })).rejects.toMatchObject({ code: "config_invalid" });
    await expect(
      openTools({ projectDir: await project({ workspace: { readOnly: ["gen/*"] } }) }),
    ).rejects.toMatchObject({
      code: "config_invalid",
    });
    const config = { workspace: { deny: ["!a"] } };
    await expect(openTools({ projectDir: await project({}), config })).rejects.toMatchObject({
      code: "config_invalid",
    });
  });
});
