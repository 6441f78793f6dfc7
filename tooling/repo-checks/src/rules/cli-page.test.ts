import { describe, expect, it } from "vitest";
import { describeFindings } from "../repo/finding.ts";
import { openRepo, repoOf } from "../repo/repo.ts";
import { checkCliPage, CLI_PAGE } from "./cli-page.ts";

const CODE = {
  "packages/cli/src/commands/look.ts":
    "export const look = { help: `Usage: aiw look [at] [--deep] [--json] [--cwd DIR]\n\nLooks.\n--since, --until TIME` };",
  "packages/cli/src/commands/read-input.ts": "export const nothing = 1;",
};

function judge(...headings: readonly string[]): string {
  return describeFindings(checkCliPage(repoOf({ ...CODE, [CLI_PAGE]: headings.join("\n\n") })));
}

describe("checkCliPage", () => {
  it("holds in this repository", () => {
    expect(describeFindings(checkCliPage(openRepo()))).toBe("");
  });

  it("accepts headings that name every flag, one or several of a command", () => {
    expect(judge("## `aiw look [--deep] [--since TIME] [--until TIME]`")).toBe("");
    expect(judge("## `aiw look [--deep] [--since TIME]`", "## `aiw look at [--until TIME] [--json]`")).toBe("");
  });

  it("finds a command and a flag that no heading names, and one that is not there", () => {
    expect(judge()).toContain('"## `aiw look …`"');
    expect(judge("## `aiw look [--deep] [--since TIME]`")).toContain("Name --until in a heading of aiw look");
    expect(judge("## `aiw look [--deep] [--far] [--since TIME] [--until TIME]`")).toContain("aiw look has no --far");
    expect(judge("## `aiw look [--deep] [--since T] [--until T]`", "## `aiw gone`")).toContain("no command aiw gone");
  });
});
