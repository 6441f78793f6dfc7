import { describe, expect, it } from "vitest";
import { describeFindings } from "../repo/finding.ts";
import { openRepo, repoOf } from "../repo/repo.ts";
import { checkContractIsAlone } from "./contract-is-alone.ts";

describe("checkContractIsAlone", () => {
  it("holds in this repository", () => {
    expect(describeFindings(checkContractIsAlone(openRepo()))).toBe("");
  });

  it.each(["../errors/a.ts", "node:fs", "zod", "@aiw/executor"])("finds an import of %s", (specifier) => {
    const repo = repoOf({ "packages/core/src/contract/a.ts": `import type { X } from "${specifier}";` });
    expect(checkContractIsAlone(repo)).toHaveLength(1);
  });

  it("finds a contract of more than 600 lines", () => {
    const repo = repoOf({
      "packages/core/src/contract/a.ts": "\n".repeat(400),
      "packages/core/src/contract/b.ts": "\n".repeat(201),
    });
    expect(describeFindings(checkContractIsAlone(repo))).toContain("It has 601 lines");
  });
});
