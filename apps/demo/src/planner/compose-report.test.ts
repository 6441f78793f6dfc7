import { describe, expect, it } from "vitest";

import { composeAnswer, composeReport, disclosure } from "./compose-report.ts";
import { fenced } from "./goal.ts";
import type { Finding } from "./goal.ts";

const finding: Finding = {
  heading: "Read\na.ts",
  status: "refused",
  summary: "No.",
  details: ["What was found."],
  notes: ["A note."],
};

describe("composeReport", () => {
  it("says what wrote it, what was asked and what came of each wish", () => {
    const report = composeReport("read\na.ts", [finding]);
    expect(report).toContain(disclosure);
    expect(report).toContain("Asked: read a.ts");
    expect(report).toContain("## Read a.ts\n\n*refused.* No.\n\nWhat was found.\n\nOn the way:\n\n- A note.");
  });

  it("stays bounded whatever was found", () => {
    expect(composeReport("x", [{ ...finding, details: ["y".repeat(1_000_000)] }]).length).toBeLessThan(61_000);
  });
});

describe("composeAnswer", () => {
  it("shows details only where no report holds them", () => {
    expect(composeAnswer([finding], { hasReport: true, tools: [] })).not.toContain("What was found.");
    expect(composeAnswer([finding], { hasReport: false, tools: [] })).toContain("What was found.");
  });

  it("explains itself when nothing could be done", () => {
    expect(composeAnswer([], { hasReport: false, tools: [] })).toContain("No tools are offered.");
  });
});

describe("fenced", () => {
  it("uses a fence longer than any inside the text", () => {
    expect(fenced("a\n````\nb")).toBe("`````\na\n````\nb\n`````");
  });
});
