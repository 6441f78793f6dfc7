import { describe, expect, it } from "vitest";
import { describeFindings } from "../repo/finding.ts";
import { openRepo, repoOf } from "../repo/repo.ts";
import { checkReleaseGroups } from "./release-groups.ts";

const GROUP = ["@aiw/core", "@aiw/cli"];

function judge(config: object, { version = "0.4.0", changeset = '"@aiw/core": minor' } = {}): string {
  const repo = repoOf({
    ".changeset/README.md": '"@aiw/core": major',
    ".changeset/some-words.md": `---\n${changeset}\n---\n\nWords.\n`,
    ".changeset/config.json": JSON.stringify(config),
    "packages/cli/package.json": JSON.stringify({ name: "@aiw/cli", version }),
    "packages/core/package.json": JSON.stringify({ name: "@aiw/core", version }),
    "packages/own/package.json": JSON.stringify({ name: "@aiw/own", version, private: true }),
    "plugins/web/package.json": JSON.stringify({ name: "@aiw/plugin-web", version }),
  });
  return describeFindings(checkReleaseGroups(repo));
}

describe("checkReleaseGroups", () => {
  it("holds in this repository", () => {
    expect(describeFindings(checkReleaseGroups(openRepo()))).toBe("");
  });

  it("accepts one group of all that is under packages/", () => {
    expect(judge({ fixed: [GROUP], linked: [] })).toBe("");
  });

  it("finds packages that are missing from the group or do not belong there", () => {
    expect(judge({ fixed: [["@aiw/core"]] })).toContain("Add @aiw/cli");
    expect(judge({ fixed: [[...GROUP, "@aiw/plugin-web"]] })).toContain("Take @aiw/plugin-web out");
    expect(judge({ fixed: [[...GROUP, "@aiw/own"]] })).toContain("Take @aiw/own out");
  });

  it("finds no group, several, and linked ones", () => {
    expect(judge({})).toContain("one group");
    expect(judge({ fixed: [["@aiw/core"], ["@aiw/cli"]] })).toContain("one group");
    expect(judge({ fixed: [GROUP], linked: [["@aiw/plugin-web"]] })).toContain("one group");
  });

  it("finds a major before 1.0, and none after it", () => {
    const changeset = '"@aiw/plugin-web": major';
    expect(judge({ fixed: [GROUP] }, { changeset })).toContain(".changeset/some-words.md");
    expect(judge({ fixed: [GROUP] }, { changeset, version: "1.0.0" })).toBe("");
  });
});
