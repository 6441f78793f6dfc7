import { describe, expect, it } from "vitest";
import { runTool } from "../run/run-tool.ts";
import { dataToolOrigin, defineDataTool, type DataToolDefinition } from "./define-data-tool.ts";
import { defineTool } from "./define-tool.ts";

const SPEC: DataToolDefinition = {
  name: "look_up",
  description: "Looks up.",
  type: "http",
  inputSchema: { type: "object", properties: { id: { type: "string" } } },
  implementation: { url: "https://api.test/{id}" },
};

describe("defineDataTool", () => {
  it("counts what nobody said as destructive and open-world", () => {
    expect(defineDataTool(SPEC).spec.metadata).toEqual({
      tags: [],
      permissions: [],
      effects: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    });
    const { effects } = defineDataTool({ ...SPEC, metadata: { effects: { readOnly: true } } }).spec.metadata;
    expect(effects).toEqual({ readOnly: true, destructive: false, idempotent: true, openWorld: true });
  });

  it("keeps a frozen copy of the spec", () => {
    const implementation = { url: "https://api.test/" };
    const { spec } = defineDataTool({ ...SPEC, implementation });
    implementation.url = "https://evil.test/";
    expect(spec.implementation).toEqual({ url: "https://api.test/" });
    expect(Object.isFrozen(spec.implementation)).toBe(true);
  });

  it.each([
    ["/name", { name: "no good" }],
    ["/description", { description: "" }],
    ["/type", { type: "" }],
    ["/inputSchema", { inputSchema: null }],
    ["/metadata", { metadata: null }],
    ["/metadata/effects", { metadata: { effects: "read" } }],
    ["/implementation", { implementation: { run: () => 1 } }],
  ])("names %s when it is wrong", (pointer, change) => {
    expect(() => defineDataTool({ ...SPEC, ...change } as DataToolDefinition)).toThrow(
      expect.objectContaining({ code: "tool_definition_invalid", message: expect.stringContaining(pointer) }),
    );
  });

  it.each([undefined, null, "look_up", []])("takes no %j for a spec", (value) => {
    expect(() => defineDataTool(value as never)).toThrow(expect.objectContaining({ code: "tool_definition_invalid" }));
  });

  it("needs an executor", async () => {
    expect(await runTool(defineDataTool(SPEC), {})).toMatchObject({ success: false, code: "executor_missing" });
  });
});

describe("dataToolOrigin", () => {
  it("says what the host said of a spec, and lets it read nothing unless said", () => {
    expect(dataToolOrigin(defineDataTool(SPEC))).toEqual({ readsEnvironment: false });
    const options = { baseDirectory: "/srv/tools", readsEnvironment: true };
    expect(dataToolOrigin(defineDataTool(SPEC, options))).toEqual(options);
  });

  it("knows nothing of tools of code, whatever they say of themselves", () => {
    const tool = defineTool({ name: "a", description: "A.", execute: () => 1 });
    expect(dataToolOrigin(tool)).toBeUndefined();
    expect(dataToolOrigin({ ...defineDataTool(SPEC) })).toBeUndefined();
  });
});
