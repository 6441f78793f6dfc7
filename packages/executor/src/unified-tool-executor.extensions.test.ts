import { defineTool, ToolError, type ToolLog, type ToolResult } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { makeExecutor } from "./__fixtures__/make-executor.ts";
import type { Extension, ExtensionCall, ExtensionStage } from "./extend/extension.ts";
import { ExtensionManager } from "./extend/extension-manager.ts";

const add = defineTool({
  name: "add",
  description: "Adds two numbers.",
  input: z.object({ a: z.number(), b: z.number() }),
  effects: "pure",
  execute: ({ a, b }) => a + b,
});

const wipe = defineTool({
  name: "wipe",
  description: "Deletes everything.",
  input: z.object({ what: z.string() }),
  execute: ({ what }) => `wiped ${what}`,
});

const CALL = { a: 1, b: 2 };
const OPEN: readonly ExtensionStage[] = ["trace", "audit_open"];
const CLOSED: readonly ExtensionStage[] = [
  "authorize_tool",
  "validate_input",
  "authorize_arguments",
  "repeat_check",
  "rate_limit",
  "approval",
  "concurrency",
  "timeout_retry",
  "execute",
];

function recording(): { readonly log: ToolLog; readonly errors: unknown[] } {
  const errors: unknown[] = [];
  const none = (): void => undefined;
  return { errors, log: { debug: none, info: none, warn: none, error: (_text, fields) => void errors.push(fields) } };
}

/** What became of one call with these extensions. */
async function callWith(extensions: readonly Extension[], input: unknown = CALL): Promise<ToolResult> {
  const { executor } = makeExecutor([add], { extensions });
  const result = await executor.execute("add", input);
  await executor.close();
  return result;
}

describe("extensions of an executor", () => {
  it("runs hooks around the work in the printed order, and back", async () => {
    const seen: string[] = [];
    const watch = (name: string, stage: ExtensionStage): Extension => ({
      name,
      stage,
      beforeExecute: () => void seen.push(`${name} before`),
      wrap: async (_call, next) => {
        seen.push(`${name} in`);
        await next();
        seen.push(`${name} out`);
      },
      afterExecute: () => void seen.push(`${name} after`),
    });
    await callWith([watch("slot", "concurrency"), watch("span", "trace"), watch("quota", "rate_limit")]);
    expect(seen).toEqual([
      "span before",
      "span in",
      "quota before",
      "quota in",
      "slot before",
      "slot in",
      "slot out",
      "quota out",
      "span out",
      "slot after",
      "quota after",
      "span after",
    ]);
  });

  it("shows a call what is known of it at each stage", async () => {
    const seen: Partial<ExtensionCall>[] = [];
    const look = (stage: ExtensionStage): Extension => ({
      name: stage,
      stage,
      beforeExecute: ({ toolId, arguments: given, definitionHash, verdict }) =>
        void seen.push({ toolId, arguments: given, definitionHash, verdict }),
    });
    await callWith([look("audit_open"), look("rate_limit")]);
    expect(seen).toEqual([
      { toolId: "add", arguments: CALL, definitionHash: undefined, verdict: undefined },
      {
        toolId: "add",
        arguments: CALL,
        definitionHash: expect.stringMatching(/^sha256-/),
        verdict: expect.objectContaining({ decision: "allow" }),
      },
    ]);
  });

  it("is one object for the whole call", async () => {
    const seen = new Set<ExtensionCall>();
    const note = (call: ExtensionCall): void => void seen.add(call);
    await callWith([
      { name: "a", stage: "trace", beforeExecute: note, afterExecute: note },
      { name: "b", stage: "execute", wrap: async (call, next) => (note(call), next()) },
    ]);
    expect(seen.size).toBe(1);
  });

  it("lets a hook exchange a result, but not the facts of the call", async () => {
    const result = await callWith([
      {
        name: "redact",
        stage: "execute",
        afterExecute: (_call, given) => ({ ...given, value: "[redacted]", call: { ...given.call, callId: "forged" } }),
      },
    ]);
    expect(result).toMatchObject({ success: true, value: "[redacted]" });
    expect(result.call.callId).not.toBe("forged");
  });

  it("tells watchers of calls that never came to anybody else", async () => {
    const seen: string[] = [];
    const note = (name: string, stage: ExtensionStage): Extension => ({
      name,
      stage,
      onError: (_call, { code }) => void seen.push(`${name} ${code}`),
    });
    const { executor } = makeExecutor([add], {
      extensions: [note("audit", "audit_open"), note("quota", "rate_limit")],
    });
    await executor.execute("add", { a: "x" });
    await executor.execute("nobody", {});
    await executor.execute("add", CALL, { signal: AbortSignal.abort() });
    expect(seen).toEqual(["audit invalid_input", "audit tool_not_found", "audit cancelled"]);
  });

  it.each(CLOSED)("refuses the call when a hook of %s throws, and names the extension", async (stage) => {
    const { log, errors } = recording();
    const { executor } = makeExecutor([add], {
      log,
      extensions: [
        {
          name: "broken",
          stage,
          beforeExecute: () => {
            throw new TypeError("boom");
          },
        },
      ],
    });
    const result = await executor.execute("add", CALL);
    expect(result).toMatchObject({ success: false, status: "denied", code: "extension_failed", call: { attempts: 0 } });
    expect(result.error).toContain("broken");
    expect(result.error).not.toContain("boom");
    expect(errors).toEqual([expect.objectContaining({ extension: "broken" })]);
  });

  it.each(OPEN)("goes on when a hook of %s throws, and names the extension", async (stage) => {
    const boom = (): never => {
      throw new ToolError("failed", "boom");
    };
    const { log, errors } = recording();
    const broken: Extension = { name: "broken", stage, beforeExecute: boom, wrap: boom, afterExecute: boom };
    const { executor } = makeExecutor([add], { log, extensions: [broken] });
    expect(await executor.execute("add", CALL)).toMatchObject({ success: true, value: 3 });
    expect(errors).toHaveLength(3);
  });

  it("refuses in the words of an extension that throws a ToolError", async () => {
    const result = await callWith([
      {
        name: "quota",
        stage: "rate_limit",
        beforeExecute: async () => {
          throw new ToolError("denied_by_policy", "Too many.", { details: { retry_after_ms: 5 } });
        },
      },
    ]);
    expect(result).toMatchObject({ code: "denied_by_policy", details: { retry_after_ms: 5 } });
    expect(result.error).toContain("Too many.");
  });

  it("withholds the result when what stands around the work fails after it", async () => {
    for (const broken of [
      { afterExecute: () => ({}) as ToolResult },
      { afterExecute: async () => Promise.reject(new TypeError("boom")) },
      {
        wrap: async (_call: ExtensionCall, next: () => Promise<void>) => {
          await next();
          throw new TypeError("boom");
        },
      },
    ] satisfies Partial<Extension>[]) {
      const result = await callWith([{ name: "redact", stage: "execute", ...broken }]);
      expect(result).toMatchObject({ success: false, code: "extension_failed", call: { attempts: 1 } });
      expect(result.error).toContain("The work was done");
    }
  });

  it("lets nobody hide how the work ended, run it twice, or leave it out", async () => {
    const fail = defineTool({
      name: "add",
      description: "Fails.",
      input: z.object({ a: z.number(), b: z.number() }),
      effects: "pure",
      execute: () => {
        throw new ToolError("not_found", "Gone.");
      },
    });
    const { executor } = makeExecutor([fail], {
      extensions: [{ name: "hide", stage: "execute", wrap: (_call, next) => next().catch(() => undefined) }],
    });
    expect(await executor.execute("add", CALL)).toMatchObject({ code: "not_found" });
    expect(
      await callWith([{ name: "twice", stage: "execute", wrap: async (_call, next) => (await next(), next()) }]),
    ).toMatchObject({ code: "extension_failed", call: { attempts: 1 } });
    expect(await callWith([{ name: "skip", stage: "execute", wrap: async () => undefined }])).toMatchObject({
      code: "extension_failed",
      call: { attempts: 0 },
    });
  });

  it("ends a call whose extension never answers, before the work, around it and after it", async () => {
    const never = new Promise<never>(() => undefined);
    const limits = { preparationMs: 30, timeoutMs: 30, graceMs: 30, extensionMs: 30 };
    const ways: readonly Partial<Extension>[] = [
      { stage: "rate_limit", beforeExecute: () => never },
      { stage: "execute", wrap: () => never },
      { stage: "execute", wrap: async (_call, next) => (await next(), never) },
      { stage: "execute", afterExecute: () => never },
    ];
    for (const way of ways) {
      const { executor } = makeExecutor([add], {
        limits,
        extensions: [{ name: "mute", stage: "execute", ...way }],
      });
      const result = await executor.execute("add", CALL);
      expect(result).toMatchObject({ success: false, code: "extension_failed" });
      expect(result.error).toContain("mute");
      await executor.close();
      expect(executor.running).toBe(0);
    }
  });

  it("passes over a watcher that never answers", async () => {
    const never = new Promise<never>(() => undefined);
    const { executor } = makeExecutor([add], {
      limits: { extensionMs: 20 },
      extensions: [{ name: "mute", stage: "audit_open", beforeExecute: () => never, afterExecute: () => never }],
    });
    expect(await executor.execute("add", CALL)).toMatchObject({ success: true, value: 3 });
  });

  it.each([
    ["allow", "allow", true],
    ["allow", "ask", false],
    ["deny", "allow", false],
    ["ask", "allow", false],
  ] as const)("weighs an opinion of %s with a rule of %s: deny beats ask beats allow", async (opinion, ruled, runs) => {
    for (const stage of ["authorize_tool", "authorize_arguments"] as const) {
      const { executor } = makeExecutor([wipe], {
        rules: [{ match: { tool: "wipe" }, decision: ruled }],
        extensions: [{ name: "roles", stage, beforeExecute: () => ({ decision: opinion, reason: "So it is." }) }],
      });
      expect((await executor.execute("wipe", { what: "x" })).success).toBe(runs);
      const decided = await executor.authorize("wipe", { what: "x" });
      expect(decided.decision === "allow").toBe(runs);
    }
  });

  it("lifts the default for unsafe effects by an extension's word", async () => {
    const roles: Extension = {
      name: "roles",
      stage: "authorize_arguments",
      beforeExecute: () => ({ decision: "allow", reason: "The role may.", rule: "admins" }),
    };
    const { executor } = makeExecutor([wipe], { extensions: [roles] });
    expect(await executor.execute("wipe", { what: "x" })).toMatchObject({ success: true });
    expect(await executor.authorize("wipe", { what: "x" })).toMatchObject({ decision: "allow", rule: "admins" });
  });

  it("asks extensions again about arguments a person edited", async () => {
    const { executor } = makeExecutor([wipe], {
      approver: () => ({ decision: "allow", input: { what: "everything" } }),
      extensions: [
        {
          name: "guard",
          stage: "authorize_arguments",
          beforeExecute: (call) =>
            call.arguments?.["what"] === "everything" ? { decision: "deny", reason: "Not everything." } : undefined,
        },
      ],
    });
    expect(await executor.execute("wipe", { what: "x" })).toMatchObject({ success: false, code: "denied_by_policy" });
  });

  it("refuses an opinion that is none, or that comes too late", async () => {
    for (const [stage, given] of [
      ["authorize_arguments", { decision: "maybe", reason: "?" }],
      ["authorize_arguments", { decision: "allow" }],
      ["rate_limit", { decision: "allow", reason: "Late." }],
    ] as const) {
      const extension = { name: "odd", stage, beforeExecute: () => given } as unknown as Extension;
      expect(await callWith([extension])).toMatchObject({ code: "extension_failed" });
    }
  });

  it("compiles what a call goes through once for each tool, and again after a change", async () => {
    let asked = 0;
    const extensions = new ExtensionManager();
    const activeFor = extensions.activeFor.bind(extensions);
    extensions.activeFor = (tool) => ((asked += 1), activeFor(tool));
    const { executor } = makeExecutor([add], { extensions });
    for (let count = 0; count < 5; count += 1) await executor.execute("add", CALL);
    expect(asked).toBe(1);
    extensions.register({
      name: "quota",
      stage: "rate_limit",
      beforeExecute: () => ({ decision: "deny", reason: "No." }),
    });
    expect(await executor.execute("add", CALL)).toMatchObject({ code: "denied_by_policy" });
    extensions.suspend("quota");
    expect(await executor.execute("add", CALL)).toMatchObject({ success: true });
  });

  it("goes on with the extensions a call began with", async () => {
    const gate = Promise.withResolvers<void>();
    const extensions = new ExtensionManager([{ name: "wait", stage: "rate_limit", beforeExecute: () => gate.promise }]);
    const { executor } = makeExecutor([add], { extensions });
    const running = executor.execute("add", CALL);
    extensions.register({
      name: "late",
      stage: "execute",
      beforeExecute: () => ({ decision: "deny", reason: "Late." }),
    });
    gate.resolve();
    expect(await running).toMatchObject({ success: true });
  });

  it("runs no hook but those that judge when a call is only judged", async () => {
    const seen: string[] = [];
    const note = (stage: ExtensionStage): Extension => ({
      name: stage,
      stage,
      beforeExecute: () => void seen.push(stage),
      onError: () => void seen.push(`${stage} after`),
    });
    const { executor } = makeExecutor([add], { extensions: [...OPEN, ...CLOSED].map(note) });
    await executor.authorize("add", CALL);
    expect(seen).toEqual(["authorize_tool", "validate_input", "authorize_arguments"]);
  });

  it("closes its extensions", async () => {
    let closed = 0;
    const { executor } = makeExecutor([add], {
      extensions: [{ name: "file", stage: "audit_open", close: () => void (closed += 1) }],
    });
    await executor.close();
    await executor.close();
    expect(closed).toBe(1);
  });
});

describe("modes of approval", () => {
  it.each([
    ["never", "wipe", "ok"],
    ["unsafe_only", "wipe", "approval_required"],
    ["unsafe_only", "add", "ok"],
    ["always", "add", "approval_required"],
    ["by_rule", "wipe", "denied_by_policy"],
    ["by_rule", "add", "ok"],
  ] as const)("decides by %s what becomes of %s: %s", async (approvalMode, name, expected) => {
    const { executor } = makeExecutor([add, wipe], { approvalMode });
    const result = await executor.execute(name, name === "add" ? CALL : { what: "x" });
    expect(result.success ? "ok" : result.code).toBe(expected);
  });

  it("takes the strictest that anybody names, and the first approver", async () => {
    const asked: string[] = [];
    const ask = (name: string, mode: "always" | "never"): Extension => ({
      name,
      stage: "approval",
      approval: { mode, approver: () => (asked.push(name), { decision: "allow" }) },
    });
    const { executor } = makeExecutor([add], {
      approvalMode: "never",
      extensions: [ask("a", "always"), ask("b", "never")],
    });
    expect(await executor.execute("add", CALL)).toMatchObject({ success: true });
    expect(asked).toEqual(["a"]);
  });
});
