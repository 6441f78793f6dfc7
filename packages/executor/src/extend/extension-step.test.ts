import { runInNewContext } from "node:vm";
import { defineTool, type ToolResult } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { makeExecutor } from "../__fixtures__/make-executor.ts";
import type { Extension, ExtensionStage, ExtensionVerdict } from "./extension.ts";

const NO: ExtensionVerdict = { decision: "deny", reason: "Not here." };

const wipe = defineTool({
  name: "wipe",
  description: "Deletes everything.",
  input: z.object({ what: z.string() }),
  execute: ({ what }) => `wiped ${what}`,
});

/** A promise of another realm, as test runners and sandboxes hand them out. */
const foreign = runInNewContext("(value) => Promise.resolve(value)") as <Value>(value: Value) => Promise<Value>;

async function callWith(extension: Omit<Extension, "name">): Promise<ToolResult> {
  const { executor } = makeExecutor([wipe], {
    approver: () => ({ decision: "allow" }),
    extensions: [{ name: "guard", ...extension }],
  });
  const result = await executor.execute("wipe", { what: "x" });
  await executor.close();
  return result;
}

describe("beforeExecute", () => {
  it("is not heard where a rule denies: the operator's own words are told", async () => {
    const heard: string[] = [];
    const { executor } = makeExecutor([wipe], {
      rules: [
        { match: { tool: "wipe", input: { what: "x" } }, decision: "deny", reason: "Ask Ada before you wipe x." },
        { match: { tool: "wipe" }, decision: "ask" },
      ],
      approver: () => ({ decision: "allow", input: { what: "x" } }),
      extensions: [
        {
          name: "guard",
          stage: "authorize_arguments",
          beforeExecute: ({ arguments: input }) => {
            heard.push(String(input?.["what"]));
            return input?.["what"] === "x" ? NO : undefined;
          },
        },
      ],
    });
    const denied = { code: "denied_by_policy", error: expect.stringContaining("Ask Ada before you wipe x.") };
    expect(await executor.execute("wipe", { what: "x" })).toMatchObject(denied);
    // Edited by the approver.
    expect(await executor.execute("wipe", { what: "y" })).toMatchObject(denied);
    expect(heard).toEqual(["y"]);
    await executor.close();
  });

  it.each<[string, ExtensionStage, NonNullable<Extension["beforeExecute"]>]>([
    ["at once by a policy that fails open", "rate_limit", () => NO],
    ["later by a policy that fails open", "rate_limit", async () => NO],
    ["at once by a watcher", "trace", () => NO],
    ["later by a watcher", "audit_open", async () => NO],
    ["by a promise of another realm", "authorize_arguments", () => foreign(NO)],
  ])("denies %s", async (_how, stage, beforeExecute) => {
    expect(await callWith({ stage, failure: "open", beforeExecute })).toMatchObject({ code: "denied_by_policy" });
  });

  it("waits for what is no promise of this realm", async () => {
    expect(await callWith({ stage: "rate_limit", beforeExecute: () => foreign(undefined) })).toMatchObject({
      success: true,
    });
    expect(
      await callWith({ stage: "rate_limit", afterExecute: (_call, result) => foreign({ ...result, value: "less" }) }),
    ).toMatchObject({ success: true, value: "less" });
  });

  it("passes over an opinion that cannot be read where it fails open, and refuses for it elsewhere", async () => {
    const unreadable = {
      get decision(): never {
        throw new TypeError("hostile");
      },
    } as unknown as ExtensionVerdict;
    for (const beforeExecute of [() => unreadable, async () => unreadable]) {
      expect(await callWith({ stage: "rate_limit", failure: "open", beforeExecute })).toMatchObject({ success: true });
      expect(await callWith({ stage: "rate_limit", beforeExecute })).toMatchObject({ code: "extension_failed" });
    }
  });

  const JUDGES = ["authorize_tool", "validate_input", "authorize_arguments", "repeat_check", "approval"] as const;
  it.each([...JUDGES, "concurrency", "timeout_retry", "execute"] as const)(
    "of %s judges what a person edited (SEC-APR-3)",
    async (stage) => {
      const { executor } = makeExecutor([wipe], {
        approver: () => ({ decision: "allow", input: { what: "everything" } }),
        extensions: [
          {
            name: "guard",
            stage,
            beforeExecute: (call) => (call.arguments?.["what"] === "everything" ? NO : undefined),
          },
        ],
      });
      expect(await executor.execute("wipe", { what: "x" })).toMatchObject({ code: "denied_by_policy" });
      await executor.close();
    },
  );

  it("keeps an opinion of validate_input when the call is judged again, and tells it of what is only judged", async () => {
    const { executor } = makeExecutor([wipe], {
      extensions: [{ name: "guard", stage: "validate_input", beforeExecute: () => NO }],
    });
    expect(await executor.authorize("wipe", { what: "x" })).toMatchObject({ decision: "deny" });
    await executor.close();
  });
});

describe("afterExecute", () => {
  it.each<[string, object]>([
    ["a failure without a code", { success: false, preview: [] }],
    ["a success without a value", { success: true, status: "ok", error: "", preview: [] }],
    ["a success with an error", { success: true, status: "ok", error: "no", value: 1, preview: [] }],
    ["a preview of no texts", { success: true, status: "ok", error: "", value: 1, preview: [1] }],
    [
      "a failure of no known kind",
      {
        success: false,
        status: "bad",
        error: "x",
        error_type: "y",
        code: "z",
        retryable: false,
        settled: true,
        preview: [],
      },
    ],
  ])("withholds the result for %s", async (_what, given) => {
    expect(await callWith({ stage: "rate_limit", afterExecute: () => given as ToolResult })).toMatchObject({
      success: false,
      code: "extension_failed",
    });
  });

  it("may make a failure of a success", async () => {
    const failure: Omit<Extract<ToolResult, { success: false }>, "call"> = {
      success: false,
      status: "denied",
      error: "wipe(): Withheld.",
      error_type: "permission_error",
      code: "withheld",
      retryable: false,
      settled: true,
      preview: ["Withheld."],
    };
    expect(
      await callWith({ stage: "rate_limit", afterExecute: (_call, { call }) => ({ ...failure, call }) }),
    ).toMatchObject({ success: false, code: "withheld" });
  });
});

describe("onError", () => {
  const fails: Pick<Extension, "failure" | "stage" | "onError"> = {
    stage: "audit_open",
    failure: "closed",
    onError: () => {
      throw new TypeError("full");
    },
  };

  it("speaks of no result where no work had begun", async () => {
    const { executor } = makeExecutor([wipe], { extensions: [{ name: "record", ...fails }] });
    const refused = await executor.execute("wipe", { what: "x" });
    expect(refused).toMatchObject({
      success: false,
      error: 'wipe(what="x"): The call had ended before its work began, and then the extension record failed.',
    });
    await executor.close();
  });

  it("withholds the failure of work that began", async () => {
    const broken = defineTool({
      name: "broken",
      description: "Breaks.",
      effects: "pure",
      execute: () => {
        throw new TypeError("broken");
      },
    });
    const { executor } = makeExecutor([broken], { extensions: [{ name: "record", ...fails }] });
    expect(await executor.execute("broken", {})).toMatchObject({
      error: expect.stringContaining("The result is withheld, since the extension record failed."),
    });
    await executor.close();
  });
});
