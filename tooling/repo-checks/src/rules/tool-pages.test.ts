import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { describeFindings } from "../repo/finding.ts";
import { openRepo, repoOf, ROOT } from "../repo/repo.ts";
import { checkToolPages, type BuiltTool } from "./tool-pages.ts";

/** Reads the static manifest that the build wrote. */
function builtTools(folder: string): BuiltTool[] | undefined {
  const file = path.join(ROOT, folder, "aiw-tools.json");
  if (!existsSync(file)) return undefined;
  const { tools } = JSON.parse(readFileSync(file, "utf8")) as {
    tools: readonly { spec: { name: string; inputSchema: { properties?: object } } }[];
  };
  return tools.map(({ spec }) => ({ name: spec.name, parameters: Object.keys(spec.inputSchema.properties ?? {}) }));
}

const PAGE = "| `read` | reads |\n\n| parameter | |\n|---|---|\n| `limit`, `edits[]` | lines |\n";

function check(page: string, tool: BuiltTool): string {
  const repo = repoOf({ "plugins/x/package.json": '{"name":"@aiw/plugin-x"}', "plugins/x/README.md": page });
  return describeFindings(checkToolPages(repo, () => [tool]));
}

describe("checkToolPages", () => {
  it("holds in this repository", () => {
    expect(describeFindings(checkToolPages(openRepo(), builtTools))).toBe("");
  });

  it("accepts rows that name the tool and its parameters, alone or beside others", () => {
    expect(check(PAGE, { name: "read", parameters: ["limit", "edits"] })).toBe("");
  });

  it("finds a tool that is not named", () => {
    expect(check(PAGE, { name: "tree", parameters: [] })).toContain("Say what `tree` does.");
  });

  it("finds a parameter that stands in no table of a page that has one", () => {
    const tool = { name: "read", parameters: ["depth"] };
    expect(check(`${PAGE}\nAlso \`depth\`.`, tool)).toContain("Say what `depth` of read is.");
    expect(check("`read` takes `depth`.", tool)).toBe("");
  });
});
