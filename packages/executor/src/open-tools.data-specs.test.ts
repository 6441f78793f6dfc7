import { realpathSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { AiwConfig } from "@aiw/core";
import { temporaryWorkspace } from "@aiw/testkit";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openTools, type OpenToolsOptions } from "./open-tools.ts";
import type { ToolManager } from "./tool-manager.ts";

const READ = { readOnly: true, destructive: false, idempotent: true, openWorld: false };
const UNKNOWN = { readOnly: false, destructive: true, idempotent: false, openWorld: true };

function toSpec(name: string, type: string, implementation: unknown, effects: object = READ): object {
  return {
    name,
    type,
    implementation,
    description: "Does it.",
    inputSchema: { type: "object", properties: {}, additionalProperties: false },
    metadata: { tags: [], permissions: [], effects },
  };
}

/** A project with one package whose manifest lists specs and no code. */
async function open(specs: readonly object[], options: Partial<OpenToolsOptions> = {}): Promise<ToolManager> {
  const folder = await temporaryWorkspace({
    "package.json": JSON.stringify({ name: "shop", version: "1.0.0", dependencies: { weather: "1.0.0" } }),
    "node_modules/outside.js": "export default () => 'outside';",
    "node_modules/weather/package.json": JSON.stringify({
      name: "weather",
      version: "1.0.0",
      type: "module",
      aiwhisperer: { tools: "./aiw-tools.json" },
    }),
    "node_modules/weather/aiw-tools.json": JSON.stringify({
      manifestVersion: 1,
      package: { name: "weather", version: "1.0.0" },
      tools: specs.map((spec) => ({ spec })),
    }),
    "node_modules/weather/code.js": "export default () => 'mine';",
  });
  const home = await temporaryWorkspace({});
  vi.stubEnv("AIW_CONFIG_HOME", home.cwd);
  const tools = await openTools({ projectDir: realpathSync(folder.cwd), ...options });
  onTestFinished(async () => {
    await tools.close();
    vi.unstubAllEnvs();
    await folder[Symbol.asyncDispose]();
    await home[Symbol.asyncDispose]();
  });
  return tools;
}

async function serve(): Promise<{ readonly host: string; readonly seen: unknown[] }> {
  const seen: unknown[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization);
    response.setHeader("content-type", "application/json").end('{"degrees":20}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

async function codeOf(tools: ToolManager, name: string): Promise<unknown> {
  const result = await tools.executeTool(name, {});
  return "suspended" in result ? "suspended" : result.success ? result.value : result.code;
}

describe("openTools on a package that brings specs alone", () => {
  it("runs modules of the package, and none of anybody else", async () => {
    const tools = await open([
      toSpec("mine", "module", { module: "./code.js" }),
      toSpec("outside", "module", { module: "../outside.js" }),
      toSpec("system", "module", { module: "node:child_process", export: "execSync" }),
      toSpec("other", "module", { module: "weather/code.js" }),
      toSpec("absolute", "module", { module: "/etc/hostname" }),
    ]);
    expect(await codeOf(tools, "mine")).toBe("mine");
    for (const name of ["outside", "system", "other", "absolute"]) {
      expect(await codeOf(tools, name)).toBe("implementation_invalid");
    }
  });

  it("asks before a command or request whose effects nobody knows", async () => {
    const tools = await open([
      toSpec("list", "shell", { command: "touch ran" }, UNKNOWN),
      toSpec("send", "http", { url: "https://example.test/" }, UNKNOWN),
    ]);
    expect(await codeOf(tools, "list")).toBe("approval_required");
    expect(await codeOf(tools, "send")).toBe("approval_required");
  });

  it("asks nobody about a call that cannot run", async () => {
    const approver = vi.fn();
    const tools = await open([toSpec("send", "http", { url: "http://169.254.169.254/" }, UNKNOWN)], { approver });
    expect(await codeOf(tools, "send")).toBe("blocked_address");
    expect(approver).not.toHaveBeenCalled();
  });

  it("reaches what the configuration allows, with the variables it grants", async () => {
    const server = await serve();
    vi.stubEnv("WEATHER_KEY", "k");
    const spec = toSpec("ask", "http", {
      url: `http://${server.host}/`,
      headers: { authorization: { $env: "WEATHER_KEY" } },
    });
    const http = { allowPrivate: [server.host] };
    const configs: readonly (readonly [AiwConfig, unknown])[] = [
      [{}, "not_configured"],
      [{ executors: { secrets: { weather: ["OTHER"] }, http } }, "not_configured"],
      [{ executors: { secrets: { other: ["WEATHER_KEY"] }, http } }, "not_configured"],
      [{ executors: { secrets: { weather: ["WEATHER_KEY"] } } }, "blocked_address"],
      [{ executors: { secrets: { weather: ["WEATHER_KEY"] }, http } }, { degrees: 20 }],
    ];
    for (const [config, outcome] of configs) {
      vi.stubEnv("WEATHER_KEY", "k");
      // A package named in the configuration must be one of the project's.
      const tools = await open([spec], { config });
      expect(await codeOf(tools, "ask")).toEqual(outcome);
    }
    expect(server.seen).toEqual(["k"]);
  });

  it("refuses a type that nobody runs", async () => {
    const tools = await open([toSpec("sing", "opera", {})]);
    expect(await codeOf(tools, "sing")).toBe("executor_missing");
  });
});
