import { describe, expect, it } from "vitest";
import { describeFindings } from "../repo/finding.ts";
import { openRepo, repoOf } from "../repo/repo.ts";
import { checkLinks } from "./links.ts";

function judge(...lines: readonly string[]): string {
  const texts = { "docs/a.md": lines.join("\n"), "docs/b/c.md": "# One two\n## `Three` (four)\n", "src/x.ts": "" };
  return describeFindings(checkLinks(repoOf(texts)));
}

describe("checkLinks", () => {
  it("holds in this repository", () => {
    expect(describeFindings(checkLinks(openRepo()))).toBe("");
  });

  it("accepts files, folders, headings, addresses of the web and what is only code", () => {
    expect(
      judge("# Here", "[a](b/c.md) [b](b/) [c](../src/x.ts) [d](b/c.md#one-two) [e](b/c.md#three-four) [f](#here)"),
    ).toBe("");
    expect(judge("[a](https://gone.test/x) `[b](gone.md)`", "```md", "[c](gone.md)", "```")).toBe("");
  });

  it("finds a link to nothing, and one to no heading, with its line", () => {
    expect(judge("", "[a](gone.md)")).toContain("docs/a.md:2");
    expect(judge("[a](b/c.md#three)")).toContain("docs/b/c.md has no heading #three.");
    expect(judge("[a](#here)", "```", "# Here", "```")).toContain("has no heading #here");
  });
});
