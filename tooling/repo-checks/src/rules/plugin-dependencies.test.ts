import { describe, expect, it } from "vitest";
import { describeFindings } from "../repo/finding.ts";
import { openRepo, repoOf } from "../repo/repo.ts";
import { checkPluginDependencies } from "./plugin-dependencies.ts";

function judge(manifest: object): string {
  const repo = repoOf({ "plugins/x/package.json": JSON.stringify({ name: "@aiw/plugin-x", ...manifest }) });
  return describeFindings(checkPluginDependencies(repo));
}

const core = { "@aiw/core": "workspace:^" };

describe("checkPluginDependencies", () => {
  it("holds in this repository", () => {
    expect(describeFindings(checkPluginDependencies(openRepo()))).toBe("");
  });

  it("accepts core with foreign packages, and testkit for tests", () => {
    expect(
      judge({ dependencies: { ...core, zod: "catalog:" }, devDependencies: { "@aiw/testkit": "workspace:^" } }),
    ).toBe("");
  });

  it("finds core as a peer", () => {
    expect(judge({ peerDependencies: core })).toContain('Write "@aiw/core": "workspace:^" under dependencies.');
  });

  it.each(["dependencies", "devDependencies", "optionalDependencies"])("finds the executor among %s", (field) => {
    const manifest = { dependencies: core, [field]: { ...core, "@aiw/executor": "workspace:^" } };
    expect(judge(manifest)).toContain("Remove @aiw/executor");
  });

  it("lets only the shell plugin use the sandbox", () => {
    const dependencies = { ...core, "@aiw/sandbox": "workspace:^" };
    expect(judge({ dependencies })).toContain("Remove @aiw/sandbox");
    expect(judge({ name: "@aiw/plugin-shell", dependencies })).toBe("");
  });
});
