import { describe, expect, it } from "vitest";
import { describeFindings } from "../repo/finding.ts";
import { openRepo, repoOf } from "../repo/repo.ts";
import { checkImportCycles } from "./import-cycles.ts";

describe("checkImportCycles", () => {
  it("holds in this repository", () => {
    expect(describeFindings(checkImportCycles(openRepo()))).toBe("");
  });

  it.each([
    ["values", 'import { b } from "./b.ts";'],
    ["types", 'import type { B } from "./b.ts";'],
    ["import types", 'export type A = import("./b.ts").B;'],
    ["re-exports", 'export { b } from "./b.ts";'],
    ["dynamic imports", 'export const load = () => import("./b.ts");'],
  ])("finds a circle of %s", (_, line) => {
    const repo = repoOf({ "packages/x/src/a.ts": line, "packages/x/src/b.ts": 'import type { A } from "./a.ts";' });
    expect(checkImportCycles(repo)).toMatchObject([
      { repair: expect.stringContaining("a.ts -> packages/x/src/b.ts ->") },
    ]);
  });

  it("lets two files share a third", () => {
    const repo = repoOf({
      "packages/x/src/a.ts": 'import "./b.ts"; import "./c.ts";',
      "packages/x/src/b.ts": 'import "./c.ts";',
      "packages/x/src/c.ts": "",
    });
    expect(checkImportCycles(repo)).toEqual([]);
  });
});
