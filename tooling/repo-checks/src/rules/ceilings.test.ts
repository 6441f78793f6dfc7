import { describe, expect, it } from "vitest";
import { describeFindings } from "../repo/finding.ts";
import { openRepo, repoOf } from "../repo/repo.ts";
import { CEILINGS, checkCeilings } from "./ceilings.ts";

function lines(count: number): string {
  return "// x\n".repeat(count);
}

describe("checkCeilings", () => {
  it("holds in this repository", () => {
    const { findings, warnings } = checkCeilings(openRepo());
    if (warnings.length > 0) console.info(`Over the warning line:\n${warnings.join("\n")}`);
    expect(describeFindings(findings)).toBe("");
  });

  it("warns from 201 lines of a file and refuses from 301", () => {
    const at = (count: number) => checkCeilings(repoOf({ "plugins/x/src/a.ts": lines(count) }));
    expect(at(200)).toEqual({ findings: [], warnings: [] });
    expect(at(300)).toMatchObject({ findings: [], warnings: ["plugins/x/src/a.ts: the file has 300 lines"] });
    expect(at(301).findings).toHaveLength(1);
  });

  it("warns from 51 lines of a function and refuses from 81", () => {
    const at = (count: number) =>
      checkCeilings(repoOf({ "apps/x/src/a.ts": `export const f = () => {\n${lines(count - 2)}};\n` }));
    expect(at(50)).toEqual({ findings: [], warnings: [] });
    expect(at(80)).toMatchObject({ findings: [], warnings: [expect.stringContaining("of line 1 has 80 lines")] });
    expect(at(81).findings).toHaveLength(1);
  });

  it("leaves tests out", () => {
    expect(checkCeilings(repoOf({ "apps/x/src/a.test.ts": lines(999) }))).toEqual({ findings: [], warnings: [] });
  });

  it.each([
    ["run", CEILINGS.core.anyRuntime, "the root door"],
    ["discover", CEILINGS.core.node, "the node door"],
  ])("refuses a core whose rooms like %s go beyond their budget and warns of a crowded one", (room, budget, door) => {
    const count = budget / 200 + 1;
    const files = Array.from({ length: count }, (_, index) => [`packages/core/src/${room}/f${index}.ts`, lines(200)]);
    const { findings, warnings } = checkCeilings(repoOf(Object.fromEntries(files)));
    expect(describeFindings(findings)).toContain(`core has at most ${budget} lines behind ${door}`);
    expect(findings).toHaveLength(1);
    expect(warnings).toEqual([expect.stringContaining(`${count} files in one room`)]);
  });
});
