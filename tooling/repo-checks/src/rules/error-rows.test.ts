import { describe, expect, it } from "vitest";
import { describeFindings } from "../repo/finding.ts";
import { openRepo, repoOf } from "../repo/repo.ts";
import { checkErrorRows } from "./error-rows.ts";

const CODE = `export const ERROR_CODES = {
  busy: { type: "system_error", retryable: true },
  refused: { type: "permission_error", status: "denied" },
} as const;
export const HOST_ERROR_CODES = { wrong: {} } as const;`;

function judge(...rows: readonly string[]): string {
  const texts = { "packages/x/src/codes.ts": CODE, "docs/reference/errors.md": rows.join("\n") };
  return describeFindings(checkErrorRows(repoOf(texts)));
}

describe("checkErrorRows", () => {
  it("holds in this repository", () => {
    expect(describeFindings(checkErrorRows(openRepo()))).toBe("");
  });

  it("accepts rows that say the type, the status and whether trying again helps", () => {
    expect(
      judge("| `busy` | system_error | | later; retryable |", "| `refused` | permission_error | denied | no |"),
    ).toBe("");
  });

  it("finds another type, another status, and a retryable code that is not called so", () => {
    const refused = "| `refused` | permission_error | denied | no |";
    expect(judge("| `busy` | user_error | | retryable |", refused)).toContain(
      "Begin a row with: | `busy` | system_error | |",
    );
    expect(judge("| `busy` | system_error | | retryable |", "| `refused` | permission_error | | no |")).toContain(
      "denied |",
    );
    expect(judge("| `busy` | system_error | | later |", refused)).toContain("Say of `busy`");
  });
});
