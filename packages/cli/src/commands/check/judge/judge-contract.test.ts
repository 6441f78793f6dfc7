import { defineTool, type ToolSpec } from "@aiw/core";
import { contractChecks } from "@aiw/testkit";
import { describe, expect, it } from "vitest";
import { toOutcome } from "../scorecard.ts";
import { judgeContract } from "./judge-contract.ts";

const NOTHING = { findings: [], outcomes: [] };

describe("judgeContract", () => {
  it("fails where the process was gone before it began, and passes what was run to its end", () => {
    expect(toOutcome(judgeContract({ stage: "starting", ...NOTHING }))).toBe("fail");
    expect(toOutcome(judgeContract({ stage: "done", ...NOTHING }))).toBe("pass");
  });

  it("leaves out what the check of the parameters says of the manifest", () => {
    const tool = defineTool({
      name: "mute",
      description: "M.",
      inputSchema: { type: "object", properties: { a: { type: "string" } } },
      execute: () => 1,
    });
    const outcomes = contractChecks({ tools: [tool] })
      .filter(({ name }) => name.includes("describes"))
      .map(({ name }) => ({ name, error: "Describe for the model: a." }));
    expect(outcomes).toHaveLength(1);
    const judge = (specs: readonly ToolSpec[]): unknown =>
      judgeContract({ stage: "done", findings: [], outcomes }, { file: "aiw-tools.json", text: "", value: {}, specs });
    expect(judge([tool.spec])).toEqual([]);
    expect(judge([])).toMatchObject([{ severity: "fail" }]);
  });

  it("skips where no code could be loaded, and where the tools need options", () => {
    expect(judgeContract(undefined)).toEqual({ skipped: "the code could not be loaded" });
    expect(judgeContract({ stage: "done", skipped: "they need options", ...NOTHING })).toEqual({
      skipped: "they need options",
    });
  });
});
