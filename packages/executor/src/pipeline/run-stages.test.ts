import { describe, expect, it } from "vitest";
import { compileClosing, compileStages, type ClosingStep, type PipelineStep } from "./run-stages.ts";
import { PIPELINE_STAGES, stageIndex, type PipelineStage } from "./stages.ts";

interface FakeCall {
  stage: number;
  ended: boolean;
  readonly seen: string[];
}

function fakeCall(): FakeCall {
  return { stage: 0, ended: false, seen: [] };
}

function note(stage: PipelineStage, word: string = stage): PipelineStep<FakeCall> {
  return { stage, before: (call) => void call.seen.push(word) };
}

describe("compileStages", () => {
  it("runs steps in the order of the pipeline, whatever the order they are given in", async () => {
    const run = compileStages<FakeCall>([note("execute"), note("approval"), note("bound_input"), note("rate_limit")]);
    const call = fakeCall();
    await run(call);
    expect(call.seen).toEqual(["bound_input", "rate_limit", "approval", "execute"]);
    expect(call.stage).toBe(stageIndex("execute"));
  });

  it("keeps the order of steps at one stage", async () => {
    const call = fakeCall();
    await compileStages<FakeCall>([note("approval", "first"), note("approval", "second")])(call);
    expect(call.seen).toEqual(["first", "second"]);
  });

  it("puts a step around every later stage", async () => {
    const around: PipelineStep<FakeCall> = {
      stage: "concurrency",
      around: async (call, next) => {
        call.seen.push("in");
        await next();
        call.seen.push("out");
      },
    };
    const call = fakeCall();
    await compileStages<FakeCall>([note("execute"), around, note("approval"), note("validate_output")])(call);
    expect(call.seen).toEqual(["approval", "in", "execute", "validate_output", "out"]);
  });

  it("starts nothing after the call has ended", async () => {
    const ending: PipelineStep<FakeCall> = {
      stage: "approval",
      before: async (call) => {
        call.ended = true;
      },
    };
    const call = fakeCall();
    await compileStages<FakeCall>([ending, note("execute")])(call);
    expect(call.seen).toEqual([]);
  });

  it("rejects with what a step throws, synchronously or not, and runs no later one", async () => {
    for (const before of [
      () => {
        throw new Error("no");
      },
      async () => Promise.reject(new Error("no")),
    ]) {
      const call = fakeCall();
      const run = compileStages<FakeCall>([{ stage: "trace", before }, note("execute")]);
      await expect((async () => run(call))()).rejects.toThrow("no");
      expect(call.seen).toEqual([]);
    }
  });
});

describe("compileClosing", () => {
  it("passes the result on in the order of the pipeline, whatever the order steps are given in", async () => {
    const add = (stage: PipelineStage, word: string): ClosingStep<string, string[]> => ({
      stage,
      after: async (call, words) => [...words, `${call} ${word}`],
    });
    const close = compileClosing([add("audit_close", "told"), add("bound_result", "bounded")], () => {});
    expect(await close("c", [])).toEqual(["c bounded", "c told"]);
  });

  it("reports a step that throws, synchronously or not, and goes on with the result as it was", async () => {
    const faults: unknown[] = [];
    const thrower: ClosingStep<string, number> = {
      stage: "bound_result",
      after: () => {
        throw new Error("now");
      },
    };
    const rejecter: ClosingStep<string, number> = {
      stage: "bound_result",
      after: async () => Promise.reject(new Error("later")),
    };
    const adder: ClosingStep<string, number> = { stage: "audit_close", after: (_call, result) => result + 1 };
    const close = compileClosing([adder, thrower, rejecter], (error, call) => faults.push([call, error]));
    expect(await close("c", 1)).toBe(2);
    expect(faults).toEqual([
      ["c", new Error("now")],
      ["c", new Error("later")],
    ]);
  });
});

describe("PIPELINE_STAGES", () => {
  it("names every stage once, approval before the clock and the clock before the work", () => {
    const names = PIPELINE_STAGES.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(stageIndex("validate_input")).toBeLessThan(stageIndex("authorize_arguments"));
    expect(stageIndex("approval")).toBeLessThan(stageIndex("timeout_retry"));
    expect(stageIndex("timeout_retry")).toBeLessThan(stageIndex("execute"));
  });
});
