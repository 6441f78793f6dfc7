import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { describeFindings } from "../repo/finding.ts";
import { openRepo, repoOf, ROOT } from "../repo/repo.ts";
import { checkPluginTools } from "./plugin-tools.ts";

/** Reads the names from the static manifest that the build wrote. */
function builtToolNames(folder: string): string[] | undefined {
  const file = path.join(ROOT, folder, "aiw-tools.json");
  if (!existsSync(file)) return undefined;
  const { tools } = JSON.parse(readFileSync(file, "utf8")) as {
    tools: readonly { spec?: { name: string }; name?: string }[];
  };
  return tools.map((tool) => tool.spec?.name ?? tool.name ?? "(a tool without a name)");
}

const manifest = { "plugins/x/package.json": '{"name":"@aiw/plugin-x"}' };
const kitTest = 'import { testToolPackage } from "@aiw/testkit";';

describe("checkPluginTools", () => {
  it("holds in this repository", () => {
    expect(describeFindings(checkPluginTools(openRepo(), builtToolNames))).toBe("");
  });

  it("accepts a tool in the file of its name with its test, and a run of the kit", () => {
    const repo = repoOf({
      ...manifest,
      "plugins/x/src/tools/read-file.ts": "",
      "plugins/x/src/tools/read-file.test.ts": kitTest,
    });
    expect(checkPluginTools(repo, () => ["read_file"])).toEqual([]);
  });

  it("finds a plugin that never runs the kit", () => {
    expect(describeFindings(checkPluginTools(repoOf(manifest), () => ["x"]))).toContain("runs the conformance kit");
  });

  it("finds a plugin without a static manifest, or with an empty one", () => {
    expect(describeFindings(checkPluginTools(repoOf(manifest), () => undefined))).toContain("static manifest");
    expect(describeFindings(checkPluginTools(repoOf(manifest), () => []))).toContain("static manifest");
  });

  it("finds a tool in another file, or without a test", () => {
    const repo = repoOf({ ...manifest, "plugins/x/src/a.test.ts": kitTest, "plugins/x/src/tools/read.ts": "" });
    expect(checkPluginTools(repo, () => ["read", "write"]).map(({ file }) => file)).toEqual([
      "plugins/x/src/tools/read.test.ts",
      "plugins/x/src/tools/write.ts",
      "plugins/x/src/tools/write.test.ts",
    ]);
  });
});
