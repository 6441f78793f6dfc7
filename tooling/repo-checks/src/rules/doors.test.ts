import { describe, expect, it } from "vitest";
import { describeFindings } from "../repo/finding.ts";
import { openRepo, repoOf } from "../repo/repo.ts";
import { checkDoors } from "./doors.ts";

const target = { "aiw-source": "./src/index.ts", types: "./dist/index.d.ts", default: "./dist/index.js" };

function judge(door: string | undefined, { folder = "packages/x", exports = { ".": target } as object } = {}): string {
  const manifest = { [`${folder}/package.json`]: JSON.stringify({ name: "@aiw/x", exports }) };
  return describeFindings(
    checkDoors(repoOf(door === undefined ? manifest : { ...manifest, [`${folder}/src/index.ts`]: door })),
  );
}

const opening = "// For everybody.\n";

describe("checkDoors", () => {
  it("holds in this repository", () => {
    expect(describeFindings(checkDoors(openRepo()))).toBe("");
  });

  it("accepts named re-exports under a sentence", () => {
    expect(judge(`${opening}export { a } from "./a.ts";\nexport type { B } from "./b.ts";\n`)).toBe("");
  });

  it("finds an exports key without its file", () => {
    expect(judge(undefined)).toContain("has its door file");
  });

  it("accepts a data file that is published under its name, and no other", () => {
    const data = (manifest: object): string =>
      describeFindings(
        checkDoors(
          repoOf({
            "packages/x/package.json": JSON.stringify({ name: "@aiw/x", files: ["a.json"], ...manifest }),
            "packages/x/a.json": "{}",
          }),
        ),
      );
    expect(data({ exports: { "./a.json": "./a.json" } })).toBe("");
    expect(data({ exports: { "./a.json": "./b.json" } })).toContain("a file of its name");
    expect(data({ exports: { "./b.json": "./b.json" } })).toContain("write packages/x/b.json");
    expect(data({ exports: { "./a.json": "./a.json" }, files: [] })).toContain("is published");
  });

  it("finds conditions in another order or to another place", () => {
    const { default: built, ...rest } = target;
    expect(judge(opening, { exports: { ".": { default: built, ...rest } } })).toContain("sources first");
    expect(judge(opening, { exports: { ".": "./dist/index.js" } })).toContain("sources first");
  });

  it.each(["export const a = 1;", 'export * from "./a.ts";', 'import "./a.ts";', "export {};", "a();"])(
    "finds %s",
    (line) => {
      expect(judge(`${opening}${line}\n`)).toContain("line 2");
    },
  );

  it("lets a plugin's door hold its tool package and nothing more", () => {
    const door = `${opening}import { a } from "./a.ts";\nexport default defineToolPackage({ tools: [a] });\n`;
    expect(judge(door, { folder: "plugins/x" })).toBe("");
    expect(judge(door)).toContain("line 2");
    expect(judge(`${opening}export default a;\n`, { folder: "plugins/x" })).toContain("line 2");
  });

  it("finds a door without an opening sentence", () => {
    expect(judge('export { a } from "./a.ts";\n')).toContain("says who enters");
  });
});
