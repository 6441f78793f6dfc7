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

  it("refuses a room of core beyond its budget, warns of a crowded one, and counts folders apart", () => {
    const { failLines, warnFiles } = CEILINGS.room;
    const at = (count: number, folder: (index: number) => string) =>
      checkCeilings(
        repoOf(
          Object.fromEntries(
            Array.from({ length: count }, (_, index) => [
              `packages/core/src/${folder(index)}/f${index}.ts`,
              lines(200),
            ]),
          ),
        ),
      );
    const tooMany = Math.floor(failLines / 200) + 1;
    const { findings, warnings } = at(tooMany, () => "discover");
    expect(describeFindings(findings)).toContain(`a room of core has at most ${failLines} lines`);
    expect(warnings).toEqual([expect.stringContaining(`packages/core/src/discover: ${tooMany} files`)]);
    expect(at(warnFiles, () => "discover")).toEqual({ findings: [], warnings: [] });
    expect(at(tooMany, (index) => (index % 2 === 0 ? "discover" : "discover/read"))).toEqual({
      findings: [],
      warnings: [],
    });
  });
});
