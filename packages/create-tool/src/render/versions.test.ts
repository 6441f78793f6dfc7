import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readOwnVersion, VERSIONS } from "./versions.ts";

const ROOT = join(import.meta.dirname, "../../../..");

describe("VERSIONS", () => {
  it("are those of the workspace, which the templates are tested with", () => {
    const workspace = readFileSync(join(ROOT, "pnpm-workspace.yaml"), "utf8");
    for (const [name, version] of Object.entries(VERSIONS)) {
      expect(workspace.replaceAll('"', "")).toContain(`\n  ${name}: ${version}\n`);
    }
  });
});

describe("readOwnVersion", () => {
  it("is the version of core too, which templates name by it", () => {
    const core = JSON.parse(readFileSync(join(ROOT, "packages/core/package.json"), "utf8")) as { version: string };
    expect(readOwnVersion()).toBe(core.version);
  });
});
