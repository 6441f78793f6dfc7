import { describe, expect, it } from "vitest";
import { describeFindings } from "../repo/finding.ts";
import { openRepo, repoOf } from "../repo/repo.ts";
import { checkDocumentedRequirements, REQUIREMENTS_PAGE } from "./documented-requirements.ts";

/** Put together, so that this file cites none itself. */
const id = (area: string, number: number): string => ["SEC", area, number].join("-");

const cited = {
  "packages/x/src/a.ts": `/** Opens by handle (${id("A", 1)}, ${id("A", 12)}). */`,
  "packages/x/src/a.test.ts": `it("asks (${id("B", 2)})", () => {});`,
  "packages/x/README.md": `Pages cite nothing: ${id("C", 3)}.`,
};

function judge(...rows: readonly string[]): string {
  const page = `# Security\n\n${rows.map((row) => `| \`${row}\` | holds |\n`).join("")}`;
  return describeFindings(checkDocumentedRequirements(repoOf({ ...cited, [REQUIREMENTS_PAGE]: page })));
}

describe("checkDocumentedRequirements", () => {
  it("holds for this repository", () => {
    expect(describeFindings(checkDocumentedRequirements(openRepo()))).toBe("");
  });

  it("accepts a page with a row for each id that code and tests cite", () => {
    expect(judge(id("A", 1), id("A", 12), id("B", 2))).toBe("");
  });

  it("finds an id that the page lacks, and says who cites it", () => {
    const findings = judge(id("A", 1), id("A", 12));
    expect(findings).toContain(`Add a row for \`${id("B", 2)}\``);
    expect(findings).toContain("packages/x/src/a.test.ts");
    expect(judge(id("A", 12), id("B", 2))).toContain(`Add a row for \`${id("A", 1)}\``);
  });

  it("finds a row that nothing cites", () => {
    expect(judge(id("A", 1), id("A", 12), id("B", 2), id("C", 3))).toContain(`No code or test cites \`${id("C", 3)}\``);
  });

  it("finds a missing page", () => {
    expect(describeFindings(checkDocumentedRequirements(repoOf(cited)))).toContain("Write the page");
  });
});
