import { describe, expect, it } from "vitest";
import { toOutcome } from "../scorecard.ts";
import { judgeContract } from "./judge-contract.ts";

const NOTHING = { findings: [], outcomes: [] };

describe("judgeContract", () => {
  it("fails where the process was gone before it began, and passes what was run to its end", () => {
    expect(toOutcome(judgeContract({ stage: "starting", ...NOTHING }))).toBe("fail");
    expect(toOutcome(judgeContract({ stage: "done", ...NOTHING }))).toBe("pass");
  });

  it("skips where no code could be loaded, and where the tools need options", () => {
    expect(judgeContract(undefined)).toEqual({ skipped: "the code could not be loaded" });
    expect(judgeContract({ stage: "done", skipped: "they need options", ...NOTHING })).toEqual({
      skipped: "they need options",
    });
  });
});
