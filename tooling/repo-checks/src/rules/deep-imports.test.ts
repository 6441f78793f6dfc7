import { describe, expect, it } from "vitest";
import { describeFindings } from "../repo/finding.ts";
import { openRepo, repoOf } from "../repo/repo.ts";
import { checkDeepImports } from "./deep-imports.ts";

const core = { "packages/core/package.json": '{"name":"@aiw/core","exports":{".":{},"./node":{}}}' };

describe("checkDeepImports", () => {
  it("holds in this repository", () => {
    expect(describeFindings(checkDeepImports(openRepo()))).toBe("");
  });

  it("lets doors be used", () => {
    const repo = repoOf({ ...core, "apps/x/src/a.ts": 'import "@aiw/core"; import "@aiw/core/node";' });
    expect(checkDeepImports(repo)).toEqual([]);
  });

  it.each(["@aiw/core/src/run/run-tool.ts", "@aiw/core/dist/index.js", "@aiw/core/internal"])(
    "finds %s",
    (specifier) => {
      const repo = repoOf({ ...core, "apps/x/src/a.ts": `export const load = () => import("${specifier}");` });
      expect(checkDeepImports(repo)).toHaveLength(1);
    },
  );
});
