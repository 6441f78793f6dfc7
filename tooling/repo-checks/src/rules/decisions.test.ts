import { describe, expect, it } from "vitest";
import { describeFindings } from "../repo/finding.ts";
import { openRepo, repoOf } from "../repo/repo.ts";
import { checkDecisions } from "./decisions.ts";

function judge(...names: readonly string[]): string {
  const texts = names.map((name) => [`docs/decisions/${name}`, `# ${name.slice(0, 3)}: A choice\n`] as const);
  return describeFindings(checkDecisions(repoOf(Object.fromEntries(texts))));
}

describe("checkDecisions", () => {
  it("holds in this repository", () => {
    expect(describeFindings(checkDecisions(openRepo()))).toBe("");
  });

  it("accepts numbers in a row", () => {
    expect(judge("001-a.md", "002-b.md")).toBe("");
  });

  it("finds twins, gaps, other names and other titles", () => {
    expect(judge("001-a.md", "001-b.md")).toContain("001-b.md");
    expect(judge("001-a.md", "003-c.md")).toContain("Name it 002-");
    expect(judge("001-a.md", "notes.md")).toContain("notes.md");
    const repo = repoOf({ "docs/decisions/001-a.md": "# 002: A\n" });
    expect(describeFindings(checkDecisions(repo))).toContain('Begin it with "# 001: "');
  });
});
