import { describe, expect, it } from "vitest";
import { describeFindings } from "../repo/finding.ts";
import { openRepo, repoOf } from "../repo/repo.ts";
import { checkReadmes } from "./readmes.ts";

function judge(
  readme: string,
  { root = "| [`@aiw/x`](packages/x) | does |", tag = "leaf", description = "Does x." } = {},
): string {
  const repo = repoOf({
    "README.md": root,
    "packages/x/package.json": JSON.stringify({ name: "@aiw/x", description }),
    "packages/x/turbo.json": JSON.stringify({ tags: [tag] }),
    "packages/x/README.md": readme,
  });
  return describeFindings(checkReadmes(repo));
}

const good = "# @aiw/x\n\nDoes x.\n";

describe("checkReadmes", () => {
  it("holds in this repository", () => {
    expect(describeFindings(checkReadmes(openRepo()))).toBe("");
  });

  it("accepts a name, the sentence and a row", () => {
    expect(judge(good)).toBe("");
  });

  it("finds another sentence than the description", () => {
    expect(judge("# @aiw/x\n\nDoes y.\n")).toContain("opens with the package's name");
    expect(judge("# @aiw/x\n\nx\n", { description: "x" })).toContain("opens with the package's name");
  });

  it("finds a missing row, also when only a longer name has one", () => {
    expect(judge(good, { root: "see @aiw/x" })).toContain("has a row");
    expect(judge(good, { root: "| @aiw/xy | does |" })).toContain("has a row");
  });

  it("finds an adapter that does not say what it leaves out", () => {
    expect(judge(good, { tag: "adapter" })).toContain("does not belong here");
    expect(judge(`${good}\n## What does not belong here\n`, { tag: "adapter" })).toBe("");
  });
});
