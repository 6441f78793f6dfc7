import { describe, expect, it } from "vitest";
import { makePackage, type MadePackage } from "../__fixtures__/make-package.ts";
import type { BuiltPackage } from "./contract-subject.ts";
import { toolPackageChecks } from "./tool-package-checks.ts";

async function failures(subject: BuiltPackage): Promise<string[]> {
  const failed: string[] = [];
  for (const check of await toolPackageChecks(subject))
    await check.run().catch((error: unknown) => failed.push(`${check.name}: ${(error as Error).message}`));
  return failed;
}

describe("toolPackageChecks", () => {
  it("passes a good package, named by its path or its address", async () => {
    await using folder = await makePackage();
    expect(await failures({ packageDir: folder.cwd })).toEqual([]);
    const names = (await toolPackageChecks({ packageDir: new URL(`file://${folder.cwd}/`) })).map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        "is understood by a host",
        "greet is loaded by a host as it was listed",
        "greet keeps calls apart that run at once",
      ]),
    );
  });

  it.each<[string, MadePackage, RegExp]>([
    [
      "a manifest that says something else",
      { listed: { description: "Greets everybody." } },
      /^greet is loaded by a host as it was listed: .*description.* aiw build/s,
    ],
    ["code that is not there", { listed: { name: "other" } }, /^other is loaded by a host as it was listed: /],
    ["a manifest that is no JSON", { manifest: "{" }, /^is understood by a host: .*aiw-tools\.json/s],
    [
      "a manifest without tools",
      { manifest: JSON.stringify({ manifestVersion: 1, package: {}, tools: [] }) },
      /^is understood by a host: .*lists no tool/s,
    ],
    ["no manifest", { packageJson: { aiwhisperer: { tools: "./none.json" } } }, /^is understood by a host: /],
    ["a name npm would refuse", { packageJson: { name: "../x" } }, /^is understood by a host: .*no legal "name"/s],
    ["scripts at install", { packageJson: { scripts: { install: "x" } } }, /^package.json runs nothing at install: /],
    [
      "code that breaks the contract",
      { execute: "() => { throw new TypeError('no'); }" },
      /^greet keeps its promises when its examples run: .*ToolError/s,
    ],
  ])("fails %s", async (_what, made, failure) => {
    await using folder = await makePackage(made);
    const [first, ...others] = await failures({ packageDir: folder.cwd });
    expect(first).toMatch(failure);
    expect(others.filter((other) => !other.startsWith("package.json"))).toEqual([]);
  });

  it("fails a folder without package.json, and nothing at all", async () => {
    await using folder = await makePackage();
    expect((await failures({ packageDir: folder.path("node_modules") }))[0]).toMatch(/cannot be read: give the folder/);
    await expect(toolPackageChecks({} as never)).rejects.toThrow("as packageDir");
  });
});
