import { ToolRegistry } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { resolveChoices, resolveExecutors } from "./resolve-choices.ts";
import { ToolManager } from "./tool-manager.ts";
import { UnifiedToolExecutor } from "./unified-tool-executor.ts";

describe("resolveChoices", () => {
  it("refuses an option nobody knows, which would silently not hold", () => {
    const refused = { code: "config_invalid", fix: "Did you mean rules?" };
    const options = { rulez: [{ match: { tool: "*" }, decision: "deny" }] };
    expect(() => new UnifiedToolExecutor(new ToolRegistry(), options as object)).toThrow(
      expect.objectContaining(refused),
    );
  });

  it.each([{ argumentRepair: "yes" }, { repeatedCalls: "never" }, { approver: "me" }, { approvalMode: "loose" }])(
    "refuses %j",
    (options) => {
      expect(() => resolveChoices(options as object)).toThrow(expect.objectContaining({ code: "config_invalid" }));
    },
  );

  it("fills in what is left out", () => {
    expect(resolveChoices({})).toEqual({ argumentRepair: "on", repeatedCalls: "block" });
  });
});

describe("resolveExecutors", () => {
  it("puts the host's in place of the built-in one of a type", () => {
    const own = { execute: () => "own" };
    const executors = resolveExecutors({ http: own, mine: own });
    expect(executors.get("http")).toBe(own);
    expect(executors.get("mine")).toBe(own);
    expect(executors.get("shell")).not.toBe(own);
  });

  it.each([null, undefined, 5, {}, { execute: "echo" }])("refuses %j at once, not with every call", (given) => {
    const refused = expect.objectContaining({ code: "config_invalid", message: expect.stringContaining('"mine"') });
    expect(() => resolveExecutors({ mine: given as never })).toThrow(refused);
    expect(() => new UnifiedToolExecutor(new ToolRegistry()).registerExecutor("mine", given as never)).toThrow(refused);
  });
});

describe("ToolManager", () => {
  it("refuses an option nobody knows: a conversation must not offer more than was meant", () => {
    expect(() => new ToolManager([], undefined, { toolsets: "readonly" } as object)).toThrow(
      expect.objectContaining({ code: "config_invalid", fix: "Did you mean toolset?" }),
    );
  });
});
