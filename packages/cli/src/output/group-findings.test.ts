import type { Finding } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { groupFindings } from "./group-findings.ts";

const finding = (name: string, more: Partial<Finding> = {}): Finding => ({
  code: "not_installed",
  severity: "warning",
  package: name,
  reason: `${name} is not installed.`,
  fix: "npm install",
  ...more,
});

describe("groupFindings", () => {
  it("leaves a few alone", () => {
    const findings = [finding("a"), finding("b"), finding("c", { code: "manifest_stale" })];
    expect(groupFindings(findings)).toEqual(findings);
  });

  it("makes one of many, which names some packages and keeps a fix they share", () => {
    const many = ["a", "b", "c", "d", "e", "f"].map((name) => finding(name));
    expect(groupFindings(many)).toEqual([
      {
        code: "not_installed",
        severity: "warning",
        package: "6 times",
        reason: "a, b, c, d, e ….",
        fix: "npm install",
      },
    ]);
    expect(groupFindings([...many, finding("g", { fix: "else" })])).toMatchObject([{ fix: "aiw doctor tells each." }]);
  });
});
