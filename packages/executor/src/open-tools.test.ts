import { ActivityStream, defineTool, ToolRegistry, type ToolResult } from "@aiw/core";
import { temporaryWorkspace } from "@aiw/testkit";
import { describe, expect, it } from "vitest";
import { openTools } from "./open-tools.ts";

/** A package as strangers write it; it cannot import anything of ours from a temporary folder. */
const MODULE = `
const tool = (spec, execute) => ({
  [Symbol.for("@aiw/core/tool")]: true,
  contractVersion: 1,
  spec: {
    description: "Does it.", type: "function",
    inputSchema: { type: "object", properties: {}, additionalProperties: false },
    ...spec,
    metadata: { tags: [], permissions: [], effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false }, ...spec.metadata },
  },
  execute,
});
export const where = tool({ name: "where" }, (_input, context) => ({ workspace: context.workspace, options: context.options }));
export const drop = tool(
  { name: "drop", metadata: { effects: { readOnly: false, destructive: true, idempotent: false, openWorld: false } } },
  () => "dropped",
);
export const slow = tool({ name: "slow" }, (_input, context) => new Promise((_resolve, reject) => context.signal.addEventListener("abort", () => reject(context.signal.reason))));
`;

function project() {
  return temporaryWorkspace({
    "package.json": JSON.stringify({ name: "shop", version: "1.0.0", dependencies: { "acme-tools": "1.0.0" } }),
    "node_modules/acme-tools/package.json": JSON.stringify({
      name: "acme-tools",
      version: "1.0.0",
      type: "module",
      aiwhisperer: {
        apiVersion: 1,
        tools: { where: "./tools.js#where", drop: "./tools.js#drop", slow: "./tools.js#slow" },
      },
    }),
    "node_modules/acme-tools/tools.js": MODULE,
  });
}

function valueOf(result: ToolResult): unknown {
  return result.success ? result.value : result;
}

describe("openTools", () => {
  it("refuses settings it does not know, and folders that do not exist", async () => {
    await using folder = await project();
    const misspelt = { projectDir: folder.cwd, limit: { timeoutMs: 5 } };
    await expect(openTools(misspelt as object)).rejects.toMatchObject({
      code: "config_invalid",
      fix: "Did you mean limits?",
    });
    await expect(openTools({ projectDir: folder.path("missing") })).rejects.toMatchObject({ code: "config_invalid" });
  });

  it("refuses options that a package's manifest does not know", async () => {
    await using folder = await project();
    const spec = {
      name: "ping",
      description: "Answers.",
      type: "http",
      inputSchema: { type: "object" },
      metadata: {
        tags: [],
        permissions: [],
        effects: { readOnly: true, destructive: false, idempotent: true, openWorld: true },
      },
    };
    const manifest = {
      manifestVersion: 1,
      package: { name: "acme-tools", version: "1.0.0" },
      generatedBy: "test",
      optionsSchema: { type: "object", properties: { url: { type: "string" } }, additionalProperties: false },
      tools: [{ spec }],
    };
    await folder.write("node_modules/acme-tools/aiw-tools.json", JSON.stringify(manifest));
    await folder.write(
      "node_modules/acme-tools/package.json",
      JSON.stringify({ name: "acme-tools", version: "1.0.0", aiwhisperer: { tools: "./aiw-tools.json" } }),
    );
    const config = { plugins: { "acme-tools": { ulr: "http://x.test" } } };
    await expect(openTools({ projectDir: folder.cwd, config })).rejects.toMatchObject({
      code: "config_invalid",
      message: expect.stringContaining('must not have "ulr"'),
    });
  });

  it("leaves out a package that ends its process, and names it", async () => {
    await using folder = await project();
    await folder.write("node_modules/acme-tools/tools.js", "process.exit(0);");
    await using tools = await openTools({ projectDir: folder.cwd });
    expect(tools.getFunctionDefinitions()).toEqual([]);
    expect(tools.registry.report.rejected).toMatchObject(
      ["drop", "slow", "where"].map((name) => ({ code: "load_exited", package: "acme-tools", tool: name })),
    );
    expect(await tools.executeTool("where", {})).toMatchObject({
      code: "tool_not_found",
      error: expect.stringContaining("ended its process"),
    });
  });

  it("ends by close() where `await using` is not to be had", async () => {
    await using folder = await project();
    const tools = await openTools({ projectDir: folder.cwd });
    await tools.close();
    expect(await tools.executeTool("where", {})).toMatchObject({ status: "cancelled" });
  });

  it("opens the tools of a project with its folder as workspace and the configured options", async () => {
    await using folder = await project();
    await using tools = await openTools({
      projectDir: folder.cwd,
      config: { plugins: { "acme-tools": { url: "http://x.test" } } },
    });
    expect(tools.getFunctionDefinitions()).toHaveLength(3);
    const result = await tools.executeTool("where", {});
    expect(valueOf(result)).toEqual({
      workspace: { cwd: folder.cwd, roots: [folder.cwd] },
      options: { url: "http://x.test" },
    });
    expect(result.call.toolId).toBe("acme-tools/where");
    expect(valueOf(await tools.executeTool("acme-tools/where", {}))).toBeDefined();
  });

  it("applies rules and limits of the configuration, and the approver given in code", async () => {
    await using folder = await project();
    const projectDir = folder.cwd;
    await using bare = await openTools({ projectDir });
    expect(await bare.executeTool("drop", {})).toMatchObject({
      code: "approval_required",
      suggestion: expect.stringContaining('"tool":"acme-tools/drop"'),
    });
    await using asked = await openTools({ projectDir, approver: () => ({ decision: "allow" }) });
    expect(await asked.executeTool("drop", {})).toMatchObject({ value: "dropped" });
    await using ruled = await openTools({
      projectDir,
      config: {
        policy: {
          rules: [
            { match: { tool: "drop" }, decision: "allow" },
            { match: { tool: "where" }, decision: "deny" },
          ],
        },
        limits: { timeoutMs: 20 },
      },
    });
    expect(await ruled.executeTool("drop", {})).toMatchObject({ value: "dropped" });
    expect(await ruled.executeTool("where", {})).toMatchObject({ code: "denied_by_policy" });
    expect(await ruled.executeTool("slow", {})).toMatchObject({
      status: "timed_out",
      error: expect.stringContaining("20 ms"),
    });
  });

  it("lets no allow rule for a name reach another package's tool of that name", async () => {
    await using folder = await project();
    const rules = [{ match: { tool: "drop" }, decision: "allow" as const }];
    await using found = await openTools({ projectDir: folder.cwd, config: { policy: { rules } } });
    found.registry.register(
      defineTool({ name: "drop", description: "Mine.", effects: { destructive: true }, execute: () => "mine" }),
    );
    expect(await found.executeTool("drop", {})).toMatchObject({ value: "mine" });
    expect(await found.executeTool("acme-tools/drop", {})).toMatchObject({ code: "approval_required" });
  });

  it("takes a registry, a workspace, a stream and facts of the conversation as given", async () => {
    const registry = new ToolRegistry();
    registry.register(
      defineTool({
        name: "where",
        description: "Says where.",
        effects: "pure",
        execute: (_input, { workspace }) => workspace.cwd,
      }),
    );
    const activity = new ActivityStream();
    const heard: (string | undefined)[] = [];
    activity.subscribe("*", ({ sessionId }) => heard.push(sessionId));
    await using tools = await openTools({
      registry,
      activity,
      sessionId: "s",
      principal: { id: "ada" },
      workspace: { cwd: "/w", roots: [] },
    });
    expect(await tools.executeTool("where", {})).toMatchObject({ value: "/w", call: { principal: { id: "ada" } } });
    expect(heard).toEqual(["s", "s"]);
  });

  it("ends its calls and refuses later ones when disposed", async () => {
    await using folder = await project();
    const tools = await openTools({ projectDir: folder.cwd });
    const running = tools.executeTool("slow", {});
    await new Promise((resolve) => setTimeout(resolve, 20));
    await tools[Symbol.asyncDispose]();
    expect(await running).toMatchObject({ status: "cancelled" });
    expect(await tools.executeTool("where", {})).toMatchObject({ status: "cancelled" });
    expect(tools.executor.running).toBe(0);
  });

  it.each([{ policy: { rules: [{ match: {}, decision: "allow" }] } }, { limits: { timeoutMs: -1 } }, { polcy: {} }])(
    "refuses the configuration %j",
    async (config) => {
      await expect(openTools({ registry: new ToolRegistry(), config: config as object })).rejects.toMatchObject({
        code: "config_invalid",
      });
    },
  );
});
