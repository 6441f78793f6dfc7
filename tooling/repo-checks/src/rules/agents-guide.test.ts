import { describe, expect, it } from "vitest";
import { describeFindings } from "../repo/finding.ts";
import { openRepo, repoOf } from "../repo/repo.ts";
import { checkAgentsGuide } from "./agents-guide.ts";

function judge(guide: string): string {
  return describeFindings(
    checkAgentsGuide(repoOf({ "AGENTS.md": guide, "package.json": '{"scripts":{"test":"x"}}', "docs/a.md": "" })),
  );
}

describe("checkAgentsGuide", () => {
  it("holds in this repository", () => {
    expect(describeFindings(checkAgentsGuide(openRepo()))).toBe("");
  });

  it("accepts real paths and commands, names and patterns", () => {
    expect(judge("`docs/a.md` `docs/` `npx --yes pnpm@12 test x` `@aiw/core` `src/*.ts` `kebab-case`")).toBe("");
  });

  it("finds a path that does not exist", () => {
    expect(judge("See `docs/b.md` and `tooling/`.")).toMatch(/docs\/b\.md[\s\S]*tooling\//u);
  });

  it("finds a command that no script answers to", () => {
    expect(judge("Run `npx --yes pnpm@12 tset`.")).toContain('no script "tset"');
    expect(judge("Run `pnpm chekc`.")).toContain('no script "chekc"');
  });

  it("finds a guide of more than 100 lines", () => {
    expect(judge("x\n".repeat(101))).toContain("It has 101");
    expect(judge("x\n".repeat(100))).toBe("");
  });
});
