import { describe, expect, it } from "vitest";
import { describeFindings } from "../repo/finding.ts";
import { openRepo, repoOf } from "../repo/repo.ts";
import { checkEventRows } from "./event-rows.ts";

const CODE = {
  "packages/core/src/observe/events.ts":
    "export interface ActivityEventData { begun: { readonly by: string; readonly at?: number }; moved: Move }",
  "packages/core/src/contract/move.ts": "export interface Move { readonly to: number }",
};

const ROWS = ["| `begun` | it began | `by`, `at?` (the time) |", "| `moved` | it moved | `to: 3` |"];

function judge(rows: readonly string[]): string {
  return describeFindings(checkEventRows(repoOf({ ...CODE, "docs/reference/events.md": rows.join("\n") })));
}

describe("checkEventRows", () => {
  it("holds in this repository", () => {
    expect(describeFindings(checkEventRows(openRepo()))).toBe("");
  });

  it("accepts rows that name each member", () => {
    expect(judge(ROWS)).toBe("");
  });

  it("finds a member that is not named, one that is not said to be optional, and one that is not there", () => {
    expect(judge(ROWS.map((row) => row.replace("`by`", "by")))).toContain("Name `by` in the row of `begun`");
    expect(judge(ROWS.map((row) => row.replace("`at?`", "`at`")))).toContain("Name `at?` in the row of `begun`");
    expect(judge(ROWS.slice(0, 1))).toContain("Name `to` in the row of `moved`");
    expect(judge(ROWS.map((row) => row.replace("`to: 3`", "`to`, `fro?`")))).toContain("`moved` has no optional `fro`");
  });
});
