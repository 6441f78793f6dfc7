import { describe, expect, it } from "vitest";
import { describeFindings } from "../repo/finding.ts";
import { openRepo, repoOf } from "../repo/repo.ts";
import { checkDocumentedWords, DISCOVERY_CODES, ERROR_CODES, EVENT_NAMES } from "./documented-words.ts";

const source = `export const ERROR_CODES = { not_found: {}, "too_large": {} } as const satisfies X;
export const OTHER_ERROR_CODES: readonly string[] = Object.freeze(["timeout"] as const);
const HIDDEN_ERROR_CODES = { nothing: 1 };`;

function judge(page: string | undefined, text = source): string {
  const files = {
    "packages/x/src/errors/error-codes.ts": text,
    ...(page !== undefined && { "docs/reference/errors.md": page }),
  };
  return describeFindings(checkDocumentedWords(repoOf(files), ERROR_CODES));
}

describe("checkDocumentedWords", () => {
  it("holds for the error codes of this repository", () => {
    expect(describeFindings(checkDocumentedWords(openRepo(), ERROR_CODES))).toBe("");
  });

  it("holds for the discovery codes of this repository", () => {
    expect(describeFindings(checkDocumentedWords(openRepo(), DISCOVERY_CODES))).toBe("");
  });

  it("holds for the events of this repository", () => {
    expect(describeFindings(checkDocumentedWords(openRepo(), EVENT_NAMES))).toBe("");
  });

  it("accepts a page that explains each word in a row or under a heading", () => {
    expect(judge("| `not_found` | x |\n| `too_large` | x |\n### `timeout`\n")).toBe("");
  });

  it("finds a code that the page lacks", () => {
    expect(judge("| `not_found` |\n| `timeout` |\n")).toContain("Explain `too_large`");
  });

  it("finds a row that no code has", () => {
    expect(judge("| `not_found` |\n| `too_large` |\n| `timeout` |\n| `gone` |\n")).toContain("Nothing declares `gone`");
  });

  it("finds a missing page, a missing catalogue and a code in another case", () => {
    expect(judge(undefined)).toContain("Write the page");
    expect(judge("", "")).toContain("No exported constant");
    expect(judge("| `notFound` |", "export const ERROR_CODES = { notFound: 1 };")).toContain("Rename `notFound`");
  });
});
