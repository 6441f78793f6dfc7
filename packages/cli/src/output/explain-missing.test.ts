import type { DiscoveryReport, Finding } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { explainMissing } from "./explain-missing.ts";

const finding = (more: Partial<Finding>): Finding => ({
  code: "options_invalid",
  severity: "error",
  package: "fx",
  reason: "r",
  fix: "f",
  ...more,
});

describe("explainMissing", () => {
  const rejected = [
    finding({ tools: ["visit", "leave"] }),
    finding({ package: "other", tool: "visit" }),
    finding({ package: "third" }),
  ];
  const report = { found: [], rejected, missing: [], notEnabled: [] } as unknown as DiscoveryReport;

  it("finds what a package's finding and a tool's own say of a name or full id", () => {
    expect(explainMissing("visit", report)).toEqual(rejected.slice(0, 2));
    expect(explainMissing("fx/visit", report)).toEqual(rejected.slice(0, 1));
    expect(explainMissing("fx", report)).toEqual([]);
  });
});
