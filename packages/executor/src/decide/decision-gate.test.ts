import {
  defineTool,
  ToolError,
  ToolRegistry,
  type Assessment,
  type EffectsDefinition,
  type PolicyRule,
  type Tool,
} from "@aiw/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { makeExecutor } from "../__fixtures__/make-executor.ts";
import type { Decision } from "../call/verdict.ts";
import { UnifiedToolExecutor } from "../unified-tool-executor.ts";
import { readAssessment } from "./read-assessment.ts";

const SAFE = { readOnly: true, destructive: false, idempotent: true, openWorld: false };
const WRITES = { readOnly: false, destructive: false, idempotent: false, openWorld: false };
const DESTROYS = { readOnly: false, destructive: true, idempotent: false, openWorld: false };
const REACHES = { readOnly: false, destructive: false, idempotent: false, openWorld: true };
const LOOKS_OUT = { readOnly: true, destructive: false, idempotent: true, openWorld: true };

interface Made {
  readonly effects?: EffectsDefinition;
  readonly requiresApproval?: boolean;
  readonly assess?: () => unknown;
}

function make({ effects = "pure", requiresApproval = false, assess }: Made, ran: string[] = []): Tool {
  return defineTool({
    name: "act",
    description: "Acts.",
    input: z.strictObject({ what: z.string().default("x") }),
    effects,
    requiresApproval,
    execute: ({ what }) => ran.push(what),
    ...(assess && { assess: () => assess() as Assessment }),
  });
}

function rules(...decisions: Decision[]): PolicyRule[] {
  return decisions.map((decision) => ({ match: { tool: "act" }, decision, reason: `said ${decision}` }));
}

function assessment(decision: Decision, effects?: Assessment["effects"]): () => Assessment {
  return () => ({ decision, reason: `judged ${decision}`, ...(effects && { effects }) });
}

describe("judgeCall", () => {
  it("runs what was asked, whatever an assessment writes into its arguments", async () => {
    const tool = defineTool({
      name: "act",
      description: "Acts.",
      input: { type: "object", properties: { what: { type: "object", additionalProperties: {} } } },
      effects: "pure",
      execute: (input) => JSON.stringify(input),
      assess: (input) => {
        Object.assign(input as object, { what: { path: "elsewhere" } });
        return { decision: "allow", reason: "Fine." };
      },
    });
    const { executor } = makeExecutor([tool]);
    expect(await executor.execute("act", { what: { path: "here" } })).toMatchObject({
      value: '{"what":{"path":"here"}}',
    });
  });

  const table: [what: string, made: Made, given: PolicyRule[], decision: Decision, code: string | undefined][] = [
    ["safe effects", { effects: SAFE }, [], "allow", undefined],
    ["writing effects", { effects: WRITES }, [], "allow", undefined],
    ["looking outside", { effects: LOOKS_OUT }, [], "allow", undefined],
    ["destructive effects", { effects: DESTROYS }, [], "ask", "approval_required"],
    ["open-world changes", { effects: REACHES }, [], "ask", "approval_required"],
    ["requiresApproval with safe effects", { effects: SAFE, requiresApproval: true }, [], "ask", "approval_required"],
    ["an allow rule on destructive effects", { effects: DESTROYS }, rules("allow"), "allow", undefined],
    ["an allow rule on requiresApproval", { requiresApproval: true }, rules("allow"), "allow", undefined],
    ["an ask rule on safe effects", { effects: SAFE }, rules("ask"), "ask", "approval_required"],
    ["an ask rule beside an allow rule", { effects: SAFE }, rules("allow", "ask"), "ask", "approval_required"],
    ["a deny rule", { effects: SAFE }, rules("deny"), "deny", "denied_by_policy"],
    ["a deny rule after allow and ask", { effects: SAFE }, rules("allow", "ask", "deny"), "deny", "denied_by_policy"],
    [
      "an assessment that allows destructive effects",
      { effects: DESTROYS, assess: assessment("allow") },
      [],
      "ask",
      "approval_required",
    ],
    [
      "an assessment that finds the call safe",
      { effects: DESTROYS, assess: assessment("allow", SAFE) },
      [],
      "allow",
      undefined,
    ],
    [
      "an assessment that finds the call destructive",
      { effects: SAFE, assess: assessment("allow", DESTROYS) },
      [],
      "ask",
      "approval_required",
    ],
    [
      "the same under an allow rule",
      { effects: SAFE, assess: assessment("allow", DESTROYS) },
      rules("allow"),
      "allow",
      undefined,
    ],
    [
      "an assessment that finds the call safe under an ask rule",
      { effects: DESTROYS, assess: assessment("allow", SAFE) },
      rules("ask"),
      "ask",
      "approval_required",
    ],
    [
      "an assessment that finds a requiresApproval call safe",
      { requiresApproval: true, assess: assessment("allow", SAFE) },
      [],
      "ask",
      "approval_required",
    ],
    ["an assessment that asks", { effects: SAFE, assess: assessment("ask") }, [], "ask", "approval_required"],
    [
      "an assessment that asks under an allow rule",
      { effects: SAFE, assess: assessment("ask") },
      rules("allow"),
      "ask",
      "approval_required",
    ],
    ["an assessment that denies", { effects: SAFE, assess: assessment("deny") }, [], "deny", "denied_by_tool"],
    [
      "an assessment that denies under an allow rule",
      { effects: SAFE, assess: assessment("deny") },
      rules("allow"),
      "deny",
      "denied_by_tool",
    ],
    [
      "an assessment that allows under a deny rule",
      { effects: SAFE, assess: assessment("allow", SAFE) },
      rules("deny"),
      "deny",
      "denied_by_policy",
    ],
    ["no effects known", { effects: {} }, [], "ask", "approval_required"],
  ];

  it.each(table)("decides on %s (SEC-APR-7)", async (_what, made, given, decision, code) => {
    const ran: string[] = [];
    const { executor } = makeExecutor([make(made, ran)], { rules: given });
    expect(await executor.authorize("act", {})).toMatchObject({ decision, toolId: "act" });
    expect(ran).toEqual([]);
    const result = await executor.execute("act", {});
    if (code === undefined) expect(result).toMatchObject({ success: true });
    else expect(result).toMatchObject({ success: false, status: "denied", code });
    expect(ran).toHaveLength(code === undefined ? 1 : 0);
  });

  it.each<[string, Made, reason: string]>([
    ["the tool's own, where it found the call unsafe", { assess: assessment("allow", DESTROYS) }, "judged allow"],
    [
      "the default, where it found nothing of this call",
      { effects: DESTROYS, assess: assessment("allow") },
      "The call may overwrite or delete what exists.",
    ],
    [
      "the default, where it gave no words",
      { assess: () => ({ decision: "allow", reason: " ", effects: REACHES }) },
      "The call may change something outside this project.",
    ],
    [
      "that every call is asked for, whatever was found",
      { requiresApproval: true, assess: assessment("allow", DESTROYS) },
      "act asks for approval of every call.",
    ],
  ])("asks for unsafe effects with a reason: %s", async (_what, made, reason) => {
    const { executor } = makeExecutor([make(made)]);
    expect(await executor.authorize("act", {})).toMatchObject({ decision: "ask", reason });
    expect(await executor.execute("act", {})).toMatchObject({
      code: "approval_required",
      error: expect.stringContaining(reason),
      suggestion: expect.stringContaining("policy.rules"),
    });
  });

  it.each<[string, () => unknown]>([
    [
      "throws",
      () => {
        throw new Error("boom");
      },
    ],
    [
      "throws null",
      () => {
        throw null;
      },
    ],
    ["rejects", () => Promise.reject(new Error("boom"))],
    ["answers nothing", () => undefined],
    ["answers text", () => "allow"],
    ["answers true", () => true],
    ["answers another decision", () => ({ decision: "sure", reason: "" })],
    ["gives no reason", () => ({ decision: "allow" })],
    ["gives half of the effects", () => ({ decision: "allow", reason: "", effects: { readOnly: true } })],
    ["gives resources that are no texts", () => ({ decision: "allow", reason: "", resources: [1] })],
    [
      "has a getter that throws",
      () => ({
        get decision(): never {
          throw new Error("boom");
        },
      }),
    ],
  ])("denies when the assessment %s, allow rule or not (SEC-APR-5)", async (_what, assess) => {
    const ran: string[] = [];
    const { executor } = makeExecutor([make({ effects: SAFE, assess }, ran)], { rules: rules("allow") });
    expect(await executor.execute("act", {})).toMatchObject({
      status: "denied",
      code: "denied_by_tool",
      error_type: "security_error",
    });
    expect(ran).toEqual([]);
  });

  it("takes a ToolError of the assessment as the result, allow rule or not", async () => {
    const ran: string[] = [];
    const assess = () => {
      throw new ToolError("not_found", "No such folder.");
    };
    const { executor } = makeExecutor([make({ effects: SAFE, assess }, ran)], { rules: rules("allow") });
    expect(await executor.execute("act", { what: "x" })).toMatchObject({ status: "error", code: "not_found" });
    expect(await executor.authorize("act", { what: "x" })).toMatchObject({ decision: "invalid", code: "not_found" });
    expect(ran).toEqual([]);
  });

  it("asks nobody about a call that would fail as things are, and runs it where nobody need be asked", async () => {
    const asked: string[] = [];
    const approver = () => {
      asked.push("asked");
      return { decision: "allow" } as const;
    };
    const failure = new ToolError("not_found", "No such file.", { suggestion: "write first" });
    const ran: string[] = [];
    const tool = make({ effects: DESTROYS, assess: () => ({ decision: "allow", reason: "", failure }) }, ran);
    const spared = makeExecutor([tool], { approver });
    const result = await spared.executor.execute("act", { what: "x" });
    expect(result).toMatchObject({ success: false, code: "not_found", suggestion: "write first" });
    expect([asked, ran]).toEqual([[], []]);
    const allowed = makeExecutor([tool], { approver, rules: rules("allow") });
    expect(await allowed.executor.execute("act", { what: "x" })).toMatchObject({ success: true });
    expect([asked, ran]).toEqual([[], ["x"]]);
  });

  it("shows a person what the tool says of what comes, and what is left out of it", async () => {
    const shown: (readonly string[] | undefined)[] = [];
    const preview = ["+a\u202eb", ...Array.from({ length: 600 }, () => "+x")];
    const { executor } = makeExecutor([make({ assess: () => ({ decision: "ask", reason: "It asks.", preview }) })], {
      approver: (request) => {
        shown.push(request.preview);
        return { decision: "deny" };
      },
    });
    await executor.execute("act", {});
    expect(shown[0]?.[0]).toBe(String.raw`+a\u{202e}b`);
    expect(shown[0]?.at(-1)).toBe("… 101 more lines");
  });

  it("denies when the assessment never answers, and the call is over by then", async () => {
    const made = makeExecutor([make({ assess: () => new Promise(() => undefined) })], {
      // Enough for what comes before, on a machine that has other things to do.
      limits: { preparationMs: 500 },
    });
    expect(await made.executor.execute("act", {})).toMatchObject({ status: "denied", code: "denied_by_tool" });
    expect(made.executor.running).toBe(0);
  });

  it("asks no assessment of a call that a rule denies", async () => {
    let asked = 0;
    const assess = () => {
      asked += 1;
      return { decision: "allow", reason: "" };
    };
    const denied = makeExecutor([make({ assess })], {
      rules: [{ match: { tool: "act", input: { what: "x" } }, decision: "deny" }],
    });
    await denied.executor.execute("act", { what: "x" });
    expect(asked).toBe(0);
    await denied.executor.execute("act", { what: "y" });
    // Once to decide, and once more just before the work.
    expect(asked).toBe(2);
  });

  it("runs nothing when the assessment is stricter just before the work", async () => {
    const later: (() => unknown)[] = [
      assessment("ask"),
      assessment("deny"),
      assessment("allow", DESTROYS),
      () => {
        throw new ToolError("not_found", "Gone.");
      },
    ];
    const codes: unknown[] = [];
    const ran: string[] = [];
    for (const then of later) {
      const verdicts = [assessment("allow", SAFE), then];
      const { executor } = makeExecutor([make({ effects: SAFE, assess: () => verdicts.shift()?.() }, ran)]);
      const result = await executor.execute("act", {});
      codes.push(result.success ? "ran" : result.code);
    }
    expect(codes).toEqual(["approval_required", "denied_by_tool", "approval_required", "not_found"]);
    expect(ran).toEqual([]);
  });

  it("ends in time when the assessment hangs just before the work", async () => {
    const verdicts = [assessment("allow", SAFE), () => new Promise(() => undefined)];
    const made = makeExecutor([make({ effects: SAFE, assess: () => verdicts.shift()?.() })], {
      limits: { timeoutMs: 20 },
    });
    expect(await made.executor.execute("act", {})).toMatchObject({ status: "timed_out" });
    expect(made.executor.running).toBe(0);
  });

  it("loads no code of a tool that a rule denies", async () => {
    let loads = 0;
    const real = make({});
    const lazy = {
      ...real,
      load: async () => {
        loads += 1;
        return real as Tool;
      },
    } as Tool;
    const { executor } = makeExecutor([lazy], { rules: rules("deny") });
    expect(await executor.execute("act", {})).toMatchObject({ code: "denied_by_policy" });
    expect(loads).toBe(0);
  });
});

describe("readAssessment", () => {
  it("bounds what it keeps, and takes more resources than anybody can check for no verdict", () => {
    const verdict = { decision: "ask", reason: "r".repeat(5000), rule: "u".repeat(5000) };
    const read = readAssessment({ ...verdict, resources: ["a"] });
    expect(read).toMatchObject({ decision: "ask", reason: expect.stringMatching(/^r{1999}…$/) });
    expect(read?.rule).toHaveLength(200);
    expect(readAssessment({ ...verdict, resources: Array.from({ length: 10_001 }, () => "a") })).toBeUndefined();
    expect(readAssessment({ ...verdict, resources: ["a".repeat(10_000)] })).toBeUndefined();
    expect(readAssessment({ ...verdict, failure: new Error("no ToolError") })).toBeUndefined();
    expect(readAssessment({ ...verdict, preview: ["p".repeat(5000)] })?.preview?.[0]).toMatch(/^p{1999}…$/);
  });
});

describe("compileRules", () => {
  it.each<[string, PolicyRule["match"], { what: string }, Decision]>([
    ["the name", { tool: "act" }, { what: "a" }, "allow"],
    ["a glob", { tool: "a*" }, { what: "a" }, "allow"],
    ["another name", { tool: "action" }, { what: "a" }, "ask"],
    ["an argument", { tool: "act", input: { what: "a" } }, { what: "a" }, "allow"],
    ["another argument", { tool: "act", input: { what: "a" } }, { what: "A" }, "ask"],
    ["an argument with a space more", { tool: "act", input: { what: "a" } }, { what: "a " }, "ask"],
    ["an absent argument", { tool: "act", input: { why: "a" } }, { what: "a" }, "ask"],
    ["a prototype member", { tool: "act", input: { toString: "a" } }, { what: "a" }, "ask"],
    ["arguments alone", { input: { what: "a" } }, { what: "a" }, "allow"],
  ])("matches %s", async (_what, match, input, decision) => {
    const { executor } = makeExecutor([make({ effects: DESTROYS })], { rules: [{ match, decision: "allow" }] });
    expect((await executor.authorize("act", input)).decision).toBe(decision);
  });

  it.each<[Decision, Decision]>([
    ["deny", "deny"],
    ["ask", "ask"],
    ["allow", "ask"],
  ])("matches the default of an argument left out by a rule that says %s as %s", async (decision, expected) => {
    const { executor } = makeExecutor([make({ effects: DESTROYS })], {
      rules: [{ match: { tool: "act", input: { what: "x" } }, decision }],
    });
    const judged = await executor.authorize("act", {});
    expect(judged.decision).toBe(expected);
    if (decision !== "allow") expect(judged.rule ?? "").toBe("policy.rules[0]");
  });

  it.each<[string, Decision, Decision]>([
    ["act", "allow", "allow"],
    ["act*", "allow", "allow"],
    ["active-things/*", "allow", "allow"],
    ["*/act", "allow", "allow"],
    ["*", "allow", "allow"],
    ["active*", "allow", "ask"],
    ["*things*", "allow", "ask"],
    ["active*", "deny", "deny"],
  ])("takes the pattern %s of a rule that says %s on active-things/act as %s", async (tool, given, decision) => {
    const act = make({ effects: DESTROYS });
    const entry = { id: "active-things/act", name: "act", origin: { source: "package" }, spec: act.spec };
    const registry = new ToolRegistry({
      sources: [{ name: "s", list: async () => [{ ...entry, load: async () => act }] }],
    });
    await registry.load();
    const executor = new UnifiedToolExecutor(registry, { rules: [{ match: { tool }, decision: given }] });
    expect((await executor.authorize("act", {})).decision).toBe(decision);
  });

  it("names the rule that decided", async () => {
    const { executor } = makeExecutor([make({})], {
      rules: [
        { match: { tool: "x" }, decision: "allow" },
        { match: { tool: "act" }, decision: "deny" },
      ],
    });
    expect(await executor.execute("act", {})).toMatchObject({ error: expect.stringContaining("policy.rules[1]") });
    const named = makeExecutor([make({})], { rules: [{ id: "no-acting", match: { tool: "act" }, decision: "ask" }] });
    expect(await named.executor.authorize("act", {})).toMatchObject({ decision: "ask", rule: "no-acting" });
  });

  it.each<[string, unknown]>([
    ["null", null],
    ["no match", { decision: "allow" }],
    ["an empty match", { match: {}, decision: "allow" }],
    ["an unknown decision", { match: { tool: "act" }, decision: "yes" }],
    ["a list", []],
    ["arguments that are no object", { match: { tool: "act", input: null }, decision: "allow" }],
    ["a misread tool", { match: { tool: 5, input: {} }, decision: "allow" }],
    ["an empty tool", { match: { tool: "" }, decision: "allow" }],
    ["no condition on arguments", { match: { input: {} }, decision: "allow" }],
    ["a misspelt condition", { match: { tool: "act", inputs: { what: "a" } }, decision: "allow" }],
    ["a reason that is no text", { match: { tool: "act" }, decision: "deny", reason: 5 }],
    ["an id that is no text", { match: { tool: "act" }, decision: "deny", id: {} }],
    ["a misspelt member", { match: { tool: "act" }, decision: "allow", when: "never" }],
    ["a value JSON cannot say", { match: { tool: "act", input: { what: Number.NaN } }, decision: "allow" }],
  ])("refuses a rule with %s", (_what, rule) => {
    expect(() => makeExecutor([], { rules: [rule as PolicyRule] })).toThrow(
      expect.objectContaining({ code: "config_invalid" }),
    );
  });
});
