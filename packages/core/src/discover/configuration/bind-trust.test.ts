import * as fs from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTrustStore } from "../../config/trust/create-trust-store.ts";
import { bindTrust } from "./bind-trust.ts";

describe("bindTrust", () => {
  it("lets no record inside the project speak for folders outside it", async () => {
    const root = fs.realpathSync(fs.mkdtempSync(path.join(tmpdir(), "aiw-bind-")));
    onTestFinished(() => fs.rmSync(root, { recursive: true, force: true }));
    const [project, tools] = [path.join(root, "project"), path.join(root, "tools")];
    for (const dir of [project, tools]) fs.mkdirSync(dir);
    const store = createTrustStore({ environment: { AIW_CONFIG_HOME: path.join(project, "home") } });
    await store.add({ subject: "any", dir: tools, hash: "*", parts: [] });
    expect(bindTrust(store, () => root + "-elsewhere").isTrusted(tools, "x")).toBe(true);
    expect(bindTrust(store, () => project).isTrusted(tools, "x")).toBe(false);
  });

  it("asks a record that knows no problems as it is", () => {
    expect(bindTrust({ isTrusted: () => true }, () => "/p").isTrusted("/q", "x")).toBe(true);
    expect(bindTrust({ isTrusted: () => false }, () => "/p").isTrusted("/q", "x")).toBe(false);
  });
});
