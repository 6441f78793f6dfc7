import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { defineTool, ToolRegistry } from "@aiw/core";
import { createTrustStore } from "@aiw/core/node";
import { temporaryWorkspace } from "@aiw/testkit";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { resolveLimits, type ExecutorLimits } from "./executor-limits.ts";
import { DEFAULT_TIMEOUT_MS } from "./limit/timeout.ts";
import { openTools, type OpenToolsOptions } from "./open-tools.ts";

/** A package as strangers write it; it cannot import anything of ours from a temporary folder. */
const MODULE = `
const tool = (name, effects, execute) => ({
  [Symbol.for("@aiw/core/tool")]: true,
  contractVersion: 1,
  spec: {
    name, description: "Does it.", type: "function",
    inputSchema: { type: "object", properties: {}, additionalProperties: false },
    metadata: { tags: [], permissions: [], effects: { readOnly: false, destructive: false, idempotent: true, openWorld: false, ...effects } },
  },
  execute,
});
export const look = tool("look", { readOnly: true }, () => "seen");
export const drop = tool("drop", { destructive: true }, () => "dropped");
export const relay = tool("relay", { readOnly: true }, (_input, context) => context.callTool("drop", {}));
`;

async function project(config: unknown) {
  const folder = await temporaryWorkspace({
    "package.json": JSON.stringify({ name: "shop", version: "1.0.0", dependencies: { "acme-tools": "1.0.0" } }),
    "aiw.config.json": JSON.stringify(config),
    "node_modules/acme-tools/package.json": JSON.stringify({
      name: "acme-tools",
      version: "1.0.0",
      type: "module",
      aiwhisperer: { tools: { look: "./tools.js#look", drop: "./tools.js#drop", relay: "./tools.js#relay" } },
    }),
    "node_modules/acme-tools/tools.js": MODULE,
  });
  const home = await temporaryWorkspace({});
  vi.stubEnv("AIW_CONFIG_HOME", home.cwd);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await folder[Symbol.asyncDispose]();
    await home[Symbol.asyncDispose]();
  });
  return folder;
}

const ALLOW = { match: { tool: "drop" }, decision: "allow" };
const DENY = { match: { tool: "look" }, decision: "deny", reason: "Not here." };

describe("openTools in a project with aiw.config.json", () => {
  it("holds what the file denies at once, and what it allows after a person trusted it", async () => {
    const { cwd: projectDir } = await project({ policy: { rules: [ALLOW, DENY] } });
    await using before = await openTools({ projectDir });
    expect(await before.executeTool("look", {})).toMatchObject({
      code: "denied_by_policy",
      error: expect.stringContaining("aiw.config.json#/policy/rules/1") as string,
    });
    expect(await before.executeTool("drop", {})).toMatchObject({ code: "approval_required" });
    const { waiting, notEnabled } = before.registry.report;
    expect(notEnabled).toMatchObject([{ code: "trust_required", package: "shop" }]);
    for (const request of waiting) await createTrustStore().add(request);
    await using after = await openTools({ projectDir });
    expect(after.registry.report.waiting).toEqual([]);
    expect(await after.executeTool("drop", {})).toMatchObject({ value: "dropped" });
    expect(await after.executeTool("look", {})).toMatchObject({ code: "denied_by_policy" });
  });

  it("takes the host's word without asking, and lets the file's denials survive it", async () => {
    const { cwd: projectDir } = await project({ policy: { rules: [DENY] }, tools: { disabled: ["relay"] } });
    const allow = { match: { tool: "*" }, decision: "allow" } as const;
    await using tools = await openTools({
      projectDir,
      config: { policy: { rules: [allow] }, tools: { disabled: [] } },
    });
    expect(await tools.executeTool("drop", {})).toMatchObject({ value: "dropped" });
    expect(await tools.executeTool("look", {})).toMatchObject({ code: "denied_by_policy" });
    expect(tools.getTool("relay")).toBeUndefined();
  });

  it("judges by the rules as they are when the configuration is read again", async () => {
    const folder = await project({});
    await using tools = await openTools({ projectDir: folder.cwd });
    expect(await tools.executeTool("look", {})).toMatchObject({ value: "seen" });
    await folder.write("aiw.config.json", JSON.stringify({ policy: { rules: [DENY] } }));
    await tools.registry.reloadTools();
    expect(await tools.executeTool("look", {})).toMatchObject({ code: "denied_by_policy" });
    await folder.write("aiw.config.json", "{}");
    await tools.registry.reloadTools();
    tools.clearCurrentTurn();
    expect(await tools.executeTool("look", {})).toMatchObject({ value: "seen" });
  });

  it.each([
    ["a rule", { policy: { rules: [{ match: { tool: "drop" }, decision: "deny" }] } }, "denied_by_policy"],
    ["a toolset", { toolsets: { all: { include: ["look"] } } }, "tool_not_offered"],
  ])("holds %s of the file that came while a person was being asked", async (_what, config, code) => {
    const folder = await project({ toolsets: { all: { include: ["*"] } } });
    const asked = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    await using tools = await openTools({
      projectDir: folder.cwd,
      toolset: "all",
      approver: async () => {
        asked.resolve();
        await answered.promise;
        return { decision: "allow" };
      },
    });
    const call = tools.executeTool("drop", {});
    await asked.promise;
    await folder.write("aiw.config.json", JSON.stringify({ toolsets: { all: { include: ["*"] } }, ...config }));
    await tools.registry.reloadTools();
    answered.resolve();
    expect(await call).toMatchObject({ success: false, code });
  });

  it("refuses what a toolset leaves out, also where definitions load with the call", async () => {
    const { cwd: projectDir } = await project({ toolsets: { readonly: { effects: { readOnly: true } } } });
    await using tools = await openTools({ projectDir, toolset: "readonly", load: "on_call" });
    expect(await tools.executeTool("drop", {})).toMatchObject({ code: "tool_not_offered" });
    expect(await tools.executeTool("look", {})).toMatchObject({ value: "seen" });
  });

  it("refuses to open with a file that is wrong", async () => {
    const { cwd: projectDir } = await project({ polcy: {} });
    await expect(openTools({ projectDir })).rejects.toMatchObject({
      code: "config_invalid",
      message: expect.stringContaining("/polcy is unknown; nearest: policy") as string,
    });
  });

  it("offers and calls the tools of a toolset alone, in calls within calls too", async () => {
    const allow = { match: { tool: "*" }, decision: "allow" } as const;
    const { cwd: projectDir } = await project({ toolsets: { readonly: { effects: { readOnly: true } } } });
    const config = { policy: { rules: [allow] } };
    await using tools = await openTools({ projectDir, toolset: "readonly", config });
    expect(tools.catalog.specs().map(({ name }) => name)).toEqual(["look", "relay"]);
    expect(tools.getFunctionDefinitions()).toHaveLength(2);
    expect(tools.getAllAiPromptInstructions()).not.toContain("`drop`");
    expect(tools.getTool("drop")).toBeUndefined();
    expect(await tools.executeTool("look", {})).toMatchObject({ value: "seen" });
    for (const name of ["drop", "acme-tools/drop"]) {
      expect(await tools.executeTool(name, {})).toMatchObject({
        status: "denied",
        code: "tool_not_offered",
        suggestion: expect.stringMatching(/./) as string,
      });
    }
    expect(await tools.executeTool("relay", {})).toMatchObject({ value: { code: "tool_not_offered" } });
    expect(await tools.authorize("drop", {})).toMatchObject({ decision: "deny" });
    await using all = await openTools({ projectDir, config });
    expect(await all.executeTool("relay", {})).toMatchObject({ value: { success: true, value: "dropped" } });
  });

  it("refuses a toolset that nothing defines", async () => {
    const { cwd: projectDir } = await project({ toolsets: { readonly: {} } });
    await expect(openTools({ projectDir, toolset: "readonl" })).rejects.toMatchObject({
      code: "toolset_unknown",
      fix: "Did you mean readonly?",
    });
  });
});

describe("calls of openTools", () => {
  it("are repaired and compared as the configuration says, unless code says otherwise", async () => {
    const config = { policy: { argumentRepair: "off", repeatedCalls: "off" } } as const;
    const { cwd: projectDir } = await project({});
    const codes = async (options: OpenToolsOptions): Promise<string[]> => {
      await using tools = await openTools({ projectDir, ...options });
      const results = [
        await tools.executeTool("look", "```json\n{}\n```", { inputFormat: "json_text" }),
        await tools.executeTool("look", {}),
        await tools.executeTool("look", {}),
      ];
      return results.map((result) => (result.success ? "ok" : result.code));
    };
    expect(await codes({ config })).toEqual(["invalid_input", "ok", "ok"]);
    expect(await codes({ config, argumentRepair: "on", repeatedCalls: "block" })).toEqual([
      "ok",
      "repeated_call",
      "repeated_call",
    ]);
  });
});

describe("limits of openTools", () => {
  it("replace those of the file where they say something, and leave them where they do not", async () => {
    const { cwd: projectDir } = await project({ limits: { depth: 0 } });
    const config = { policy: { rules: [{ match: { tool: "drop" }, decision: "allow" }] } } as const;
    const nested = async (limits: object): Promise<unknown> => {
      await using tools = await openTools({ projectDir, config, limits });
      return await tools.executeTool("relay", {});
    };
    const refused = { value: { success: false, code: "denied_by_policy" } };
    expect(await nested({})).toMatchObject(refused);
    expect(await nested({ depth: undefined })).toMatchObject(refused);
    expect(await nested({ depth: 1 })).toMatchObject({ value: { success: true, value: "dropped" } });
  });

  it("leave what the file says of other tools, and of other bounds of the same tool", async () => {
    const { cwd: projectDir } = await project({ limits: { tools: { relay: { concurrency: 1 } }, nestedCalls: 0 } });
    const limits = { tools: { drop: { timeoutMs: 5 } }, nestedCalls: undefined } as ExecutorLimits;
    await using tools = await openTools({ projectDir, limits });
    expect(await tools.executeTool("relay", {})).toMatchObject({ value: { code: "denied_by_policy" } });
  });
});

interface Key {
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Key>>;
}

function toDefaults({ default: standard, properties }: Key): unknown {
  if (properties === undefined) return standard;
  return Object.fromEntries(Object.entries(properties).map(([name, key]) => [name, toDefaults(key)]));
}

describe("the published configuration schema", () => {
  it("names the defaults that the executor has", () => {
    const file = createRequire(import.meta.url).resolve("@aiw/core/aiw.config.schema.json");
    const schema = JSON.parse(readFileSync(file, "utf8")) as { properties: { limits: Key } };
    const { loadTimeoutMs: _loading, timeoutMs, ...others } = schema.properties.limits.properties ?? {};
    const { result, ...limits } = resolveLimits();
    const resolved = { ...limits, resultCharacters: result.characters, resultTokens: result.tokens };
    expect(toDefaults({ properties: others })).toEqual(resolved);
    expect(timeoutMs?.default).toBe(DEFAULT_TIMEOUT_MS);
  });
});

describe("openTools with a registry that is given", () => {
  it("refuses configuration that could have no effect any more", async () => {
    const registry = new ToolRegistry();
    await expect(openTools({ registry, config: { tools: { disabled: ["a"] } } })).rejects.toMatchObject({
      code: "config_invalid",
      message: expect.stringContaining("tools would have no effect") as string,
    });
  });

  it("uses the registry's own configuration, the host's word over it", async () => {
    const registry = new ToolRegistry({
      config: {
        policy: { rules: [{ match: { tool: "look" }, decision: "deny" }] },
        toolsets: { none: {} },
      },
    });
    for (const name of ["look", "find"])
      registry.register(defineTool({ name, description: "Looks.", effects: "pure", execute: () => name }));
    const rules = [{ match: { tool: "find" }, decision: "deny" }] as const;
    await using tools = await openTools({ registry, config: { policy: { rules } } });
    expect(await tools.executeTool("look", {})).toMatchObject({ code: "denied_by_policy" });
    expect(await tools.executeTool("find", {})).toMatchObject({ code: "denied_by_policy" });
    await using nothing = await openTools({ registry, toolset: "none" });
    expect(nothing.getFunctionDefinitions()).toEqual([]);
    expect(await nothing.executeTool("find", {})).toMatchObject({ code: "tool_not_offered" });
  });
});
