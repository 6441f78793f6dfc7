import { testToolPackage } from "@aiw/testkit";
import { describe, expect, it } from "vitest";
import shell from "./index.ts";

await testToolPackage({ tools: shell, packageDir: new URL("..", import.meta.url) });

describe("the package", () => {
  it("offers its two tools with a closed schema and unsafe effects", () => {
    expect(shell.tools.map((tool) => tool.spec.name)).toEqual(["bash", "execute_command"]);
    for (const { spec } of shell.tools) {
      expect(spec.inputSchema.additionalProperties).toBe(false);
      expect(spec.metadata).toMatchObject({
        assess: true,
        timeoutMs: 75_000,
        effects: { destructive: true, openWorld: true, readOnly: false },
      });
      expect(spec.metadata.permissions).toEqual(["process", "fs:read", "fs:write", "net", "env"]);
    }
  });

  it("describes every option for operators", () => {
    for (const schema of Object.values(shell.optionsSchema?.properties ?? {})) {
      expect(typeof schema === "object" && schema.description).toBeTruthy();
    }
  });
});
