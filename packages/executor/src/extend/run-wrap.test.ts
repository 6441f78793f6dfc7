import { defineTool, type ToolLog, type ToolResult } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { makeExecutor } from "../__fixtures__/make-executor.ts";
import type { Extension } from "./extension.ts";

const NEVER = new Promise<never>(() => undefined);

interface Outcome {
  readonly result: ToolResult;
  readonly runs: number;
  readonly blamed: readonly unknown[];
}

/** What became of one call with a wrapper around it. */
async function callWithin(extension: Omit<Extension, "name">, input: unknown = {}): Promise<Outcome> {
  const blamed: unknown[] = [];
  const none = (): void => undefined;
  const log: ToolLog = {
    debug: none,
    info: none,
    warn: none,
    error: (_text, fields) => void blamed.push(fields?.["extension"]),
  };
  let runs = 0;
  const tool = defineTool({
    name: "work",
    description: "Works for a moment.",
    effects: "pure",
    execute: async () => {
      runs += 1;
      return "done";
    },
  });
  const { executor } = makeExecutor([tool], {
    log,
    limits: { extensionMs: 20 },
    extensions: [{ name: "mute", ...extension }],
  });
  const result = await executor.execute("work", input);
  await new Promise((resolve) => setTimeout(resolve, 0));
  await executor.close();
  return { result, runs, blamed };
}

describe("wrap", () => {
  it.each(["trace", "audit_open"] as const)(
    "of %s delays a call that it never lets on, and ends none",
    async (stage) => {
      const { result, runs, blamed } = await callWithin({ stage, wrap: () => NEVER });
      expect(result).toMatchObject({ success: true, value: "done" });
      expect([runs, blamed]).toEqual([1, ["mute"]]);
    },
  );

  it.each(["trace", "audit_open", "rate_limit"] as const)(
    "of %s that fails open changes nothing when it never ends, whatever the call came to",
    async (stage) => {
      const wrap: Extension["wrap"] = async (_call, next) => {
        await next().catch(() => undefined);
        await NEVER;
      };
      const done = await callWithin({ stage, failure: "open", wrap });
      expect(done.result).toMatchObject({ success: true, value: "done" });
      expect(done.blamed).toEqual(["mute"]);
      expect((await callWithin({ stage, failure: "open", wrap }, { no: 1 })).result).toMatchObject({
        code: "invalid_input",
      });
    },
  );

  it.each(["trace", "audit_open"] as const)(
    "of %s that fails closed refuses the call it never lets on",
    async (stage) => {
      const { result, runs } = await callWithin({ stage, failure: "closed", wrap: () => NEVER });
      expect(result).toMatchObject({ success: false, code: "extension_failed" });
      expect(runs).toBe(0);
    },
  );

  it.each(["trace", "rate_limit"] as const)("of %s runs the work once when it lets it on too late", async (stage) => {
    const late: unknown[] = [];
    const { result, runs } = await callWithin({
      stage,
      failure: "open",
      wrap: async (_call, next) => {
        setTimeout(() => {
          try {
            void next();
          } catch (error) {
            late.push(error);
          }
        });
      },
    });
    expect(result).toMatchObject({ success: true });
    expect(runs).toBe(1);
    expect(late).toEqual([expect.any(TypeError)]);
  });

  it("stands around a call once, also where the call is judged again, and around none that is only judged", async () => {
    let entered = 0;
    const tool = defineTool({ name: "wipe", description: "Deletes.", execute: () => "gone" });
    const { executor } = makeExecutor([tool], {
      approver: () => ({ decision: "allow" }),
      extensions: [
        {
          name: "lock",
          stage: "authorize_arguments",
          wrap: async (_call, next) => {
            entered += 1;
            await next();
          },
        },
      ],
    });
    await executor.authorize("wipe", {});
    expect(entered).toBe(0);
    expect(await executor.execute("wipe", {})).toMatchObject({ success: true });
    expect(entered).toBe(1);
    await executor.close();
  });
});
