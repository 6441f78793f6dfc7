import { ToolRegistry, type AiwConfig } from "@aiw/core";
import { describe, expect, it } from "vitest";
import type { Extension } from "./extend/extension.ts";
import type { ExtensionHost } from "./extend/extension-host.ts";
import { openExtensions, type ExtensionLoader } from "./open-extensions.ts";

const host: ExtensionHost = { projectDir: "/project", registry: new ToolRegistry(), log: undefined };

function doors(byName: Readonly<Record<string, unknown>>): ExtensionLoader {
  return {
    load: async (specifier) => byName[specifier],
  };
}

function settings(value: object): AiwConfig["extensions"] {
  return value as AiwConfig["extensions"];
}

describe("openExtensions", () => {
  it("makes what the configuration names from its own settings, and nothing else", async () => {
    const configure = (given: unknown, { projectDir }: ExtensionHost): Extension[] => [
      { name: JSON.stringify(given), stage: "trace" },
      { name: projectDir, stage: "execute" },
    ];
    const loader = doors({ "@aiw/extensions/rate-limit": { configure } });
    const opened = await openExtensions(settings({ rateLimit: { perMinute: 5 }, audit: undefined }), host, loader);
    expect(opened.map(({ name }) => name)).toEqual(['{"perMinute":5}', "/project"]);
  });

  it("says what to install for a package that is missing or too old", async () => {
    for (const loader of [doors({}), doors({ "@aiw/extensions/audit": {} })])
      await expect(openExtensions(settings({ audit: {} }), host, loader)).rejects.toMatchObject({
        code: "extension_unavailable",
        fix: "npm install @aiw/extensions",
      });
  });

  it("passes on what an extension says of its settings, and closes what it had opened", async () => {
    let closed = 0;
    const loader = doors({
      "@aiw/extensions/audit": {
        configure: () => ({ name: "audit", stage: "audit_open", close: () => (closed += 1) }),
      },
      "@aiw/extensions/auth": {
        configure: () => {
          throw new TypeError("A role extends itself.");
        },
      },
    });
    await expect(openExtensions(settings({ audit: {}, auth: {} }), host, loader)).rejects.toThrow("extends itself");
    expect(closed).toBe(1);
  });
});
