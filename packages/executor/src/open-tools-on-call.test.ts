import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openTools } from "./open-tools.ts";

const SPEC = {
  description: "Says where it is.",
  type: "function",
  inputSchema: { type: "object", properties: {}, additionalProperties: false },
  metadata: {
    tags: [],
    permissions: [],
    effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  },
};

describe("openTools with load on_call", () => {
  let dir: string;

  beforeEach(async () => {
    dir = await realpath(await mkdtemp(join(tmpdir(), "aiw-on-call-")));
    await write("package.json", JSON.stringify({ name: "shop", dependencies: { "fx-module": "1", "fx-throws": "1" } }));
  });

  afterEach(() => rm(dir, { recursive: true, force: true }));

  async function write(file: string, text: string): Promise<void> {
    await mkdir(dirname(join(dir, file)), { recursive: true });
    await writeFile(join(dir, file), text);
  }

  async function install(name: string, module: string): Promise<void> {
    const content = { name, version: "1.0.0", type: "module", aiwhisperer: { tools: "./index.js" } };
    await write(`node_modules/${name}/package.json`, JSON.stringify(content));
    await write(`node_modules/${name}/index.js`, module);
  }

  function tool(name: string): string {
    const spec = JSON.stringify({ ...SPEC, name });
    return `export const ${name} = { [Symbol.for("@aiw/core/tool")]: true, contractVersion: 1, spec: ${spec}, execute: () => "${name}" };`;
  }

  it("finds a tool that only its module knows, by name and by full id, and says why another is not there", async () => {
    await install("fx-module", tool("hidden"));
    await install("fx-throws", "throw new Error('boom');");
    await using tools = await openTools({ projectDir: dir, load: "on_call" });
    expect(tools.getTool("hidden")).toBeUndefined();
    expect(await tools.executeTool("hidden", {})).toMatchObject({ success: true, value: "hidden" });
    tools.clearCurrentTurn();
    expect(await tools.executeTool("fx-module/hidden", {})).toMatchObject({ success: true, value: "hidden" });
    expect(await tools.executeTool("fx-throws/any", {})).toMatchObject({
      code: "tool_not_found",
      error: expect.stringMatching(/fx-throws\/any of fx-throws cannot be used: .*boom/),
      details: { finding: "load_failed" },
    });
  });
});
