import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { AuthConfig } from "@aiw/core";
import { discoverTools, mergeConfigs, validateConfig } from "@aiw/core/node";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { configure } from "./auth.ts";

const READER: AuthConfig = {
  anonymousRoles: ["reader"],
  roles: {
    reader: { rules: [{ match: { effects: { readOnly: true } }, decision: "allow" }] },
    editor: {
      extends: ["reader"],
      rules: [
        {
          id: "docs-only",
          match: {
            tools: ["write"],
            packages: ["@aiw/*"],
            categories: ["files"],
            tags: ["edit"],
            permissions: ["fs:*"],
            input: { path: { within: "docs" }, mode: { oneOf: ["a", 1, null] }, size: { atLeast: 0.5, atMost: 10 } },
          },
          decision: "allow",
          reason: "Documents are for everybody.",
        },
      ],
    },
  },
  rules: [{ match: { permissions: ["process"] }, decision: "deny" }],
  default: "deny",
};

async function project(config: object): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "aiw-auth-"));
  vi.stubEnv("AIW_CONFIG_HOME", path.join(folder, "home"));
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  });
  await writeFile(path.join(folder, "package.json"), JSON.stringify({ name: "shop" }));
  await writeFile(path.join(folder, "aiw.config.json"), JSON.stringify(config));
  return folder;
}

describe("extensions.auth and extensions.rateLimit", () => {
  it("hold at once in a file that nobody has trusted", async () => {
    const extensions = { auth: READER, rateLimit: { perMinute: 5, limits: [{ calls: 1, seconds: 2, by: [] }] } };
    const registry = await discoverTools({ projectDir: await project({ extensions }) });
    expect(registry.config.extensions).toEqual(extensions);
    expect(registry.report.waiting).toEqual([]);
    expect(await configure(READER, undefined as never)).toMatchObject({ name: "extensions.auth" });
  });

  it("cannot be loosened by the file where the host gives its own", () => {
    const own = { extensions: { auth: { roles: {} }, rateLimit: { perMinute: 1 } } } as const;
    const loose = {
      extensions: {
        auth: { default: "allow", rules: [{ match: { tools: ["*"] }, decision: "allow" }] },
        rateLimit: { perMinute: 1000 },
      },
    } as const;
    expect(mergeConfigs(own, loose)).toEqual(own);
    expect(mergeConfigs({}, loose)).toEqual(loose);
  });

  it.each([
    ["a misspelt member", { auth: { rolls: {} } }, "/extensions/auth/rolls is unknown; nearest: roles"],
    ["a decision nobody knows", { auth: { default: "no" } }, "/extensions/auth/default must be"],
    ["a range in words", { auth: { rules: [rule({ a: { atMost: "9" } })] } }, "must be a number"],
    ["a bare value as a condition", { auth: { rules: [rule({ a: "b" })] } }, 'like { "equals": "main" }'],
    ["no limit at all", { rateLimit: {} }, "must name a limit"],
  ])("refuse %s", (_what, extensions, message) => {
    expect(() => validateConfig({ extensions })).toThrow(message);
  });
});

function rule(input: object): object {
  return { match: { input }, decision: "deny" };
}
