import { describe, expect, it } from "vitest";
import { defineTool } from "../../define/define-tool.ts";
import type { ToolSpec } from "../../contract/tool-spec.ts";
import { createEntry } from "../create-entry.ts";
import { offerChosen, offerSnapshot } from "./offer-snapshot.ts";
import { resolveNames, type ResolvedNames } from "../resolve-names.ts";
import { ToolRegistry } from "../tool-registry.ts";

const toTool = (name: string) => defineTool({ name, description: `Is ${name}.`, effects: "pure", execute: () => name });

function snapshotOf(...specs: readonly ToolSpec[]): ResolvedNames {
  const load = (): never => {
    throw new Error("loads nothing");
  };
  return resolveNames(
    specs.map((spec) => createEntry({ id: spec.name, name: spec.name, origin: { source: "explicit" }, spec, load })),
  );
}

describe("offerSnapshot", () => {
  it("gives the same list again for the same snapshot and format, and another one for another format", () => {
    const names = snapshotOf(toTool("a").spec, toTool("b").spec);
    const first = offerSnapshot(names, { format: "openai" });
    expect(offerSnapshot(names, { format: "openai" })).toBe(first);
    const responses = offerSnapshot(names, { format: "openai", shape: "responses" });
    expect(responses).not.toBe(first);
    expect(offerSnapshot(names, { format: "openai", shape: "responses" })).toBe(responses);
    expect(offerSnapshot(names, { format: "mcp" }).definitions).not.toEqual(first.definitions);
  });

  it("gives a list that nobody can change for others", () => {
    const { definitions, compiled, omitted, warnings } = offerSnapshot(snapshotOf(toTool("a").spec), { format: "mcp" });
    for (const list of [definitions, compiled, omitted, warnings]) {
      expect(() => (list as unknown[]).push("more")).toThrow(TypeError);
    }
    expect(() => Object.assign(definitions[0] ?? {}, { name: "other" })).toThrow(TypeError);
    expect(() => Object.assign(compiled[0]?.schema ?? {}, { type: "string" })).toThrow(TypeError);
    expect(() => Object.assign(compiled[0] ?? {}, { name: "other" })).toThrow(TypeError);
  });

  it("gives warnings that nobody can change for others", () => {
    const parameter = (index: number) => [`p${index}`, { type: "string", description: "b".repeat(900) }] as const;
    const properties = Object.fromEntries(Array.from({ length: 20 }, (_, index) => parameter(index)));
    const input = { type: "object", properties };
    const wide = defineTool({ name: "wide", description: "Is wide.", input, effects: "pure", execute: () => 1 });
    const many = Array.from({ length: 31 }, (_, index) => toTool(`t${index}`).spec);
    const { warnings } = offerSnapshot(snapshotOf(wide.spec, ...many), { format: "mcp" });
    expect(warnings.map(({ code }) => code)).toEqual(["definition_too_large", "many_tools"]);
    for (const warning of warnings) expect(() => Object.assign(warning, { message: "fine" })).toThrow(TypeError);
  });

  it("compiles specs that may still change each time", () => {
    const spec = { ...toTool("a").spec };
    const names = snapshotOf(spec);
    expect(JSON.stringify(offerSnapshot(names, { format: "mcp" }).definitions)).toContain("Is a.");
    spec.description = "Is something else.";
    expect(JSON.stringify(offerSnapshot(names, { format: "mcp" }).definitions)).toContain("Is something else.");
  });

  it("follows what is registered and taken back", () => {
    const registry = new ToolRegistry();
    const namesOf = (): unknown[] => registry.getAllToolDefinitions({ format: "mcp" }).map((tool) => tool["name"]);
    registry.register(toTool("a"));
    const before = registry.getAllToolDefinitions({ format: "mcp" });
    expect(registry.getAllToolDefinitions({ format: "mcp" })).toBe(before);
    registry.register(toTool("b"));
    expect(namesOf()).toEqual(["a", "b"]);
    registry.unregister("a");
    expect(namesOf()).toEqual(["b"]);
    expect(before.map((tool) => tool["name"])).toEqual(["a"]);
  });
});

describe("offerChosen", () => {
  const format = "openai";

  it("gives the same list for the same choice, and another one for another choice or snapshot", () => {
    const [a, b] = [toTool("a").spec, toTool("b").spec];
    const names = snapshotOf(a, b);
    const first = offerChosen(names, ["a", "x"], { format });
    expect(first.omitted).toMatchObject([{ name: "x" }]);
    expect(offerChosen(names, ["a", "x", "a"], { format })).toBe(first);
    expect(offerChosen(names, ["a"], { format }).omitted).toEqual([]);
    expect(offerChosen(snapshotOf(a, b), ["a", "x"], { format })).not.toBe(first);
    expect(offerChosen(names, ["a", "x"], { format: "mcp" })).not.toBe(first);
    expect(() => (first.omitted as unknown[]).push("more")).toThrow(TypeError);
  });

  it("remembers few choices, and the list of all tools besides", () => {
    const names = snapshotOf(toTool("a").spec);
    const whole = offerSnapshot(names, { format });
    const first = offerChosen(names, ["a"], { format });
    for (let count = 0; count < 40; count += 1) offerChosen(names, ["a", `x${count}`], { format });
    expect(offerChosen(names, ["a"], { format })).not.toBe(first);
    expect(offerSnapshot(names, { format })).toBe(whole);
  });

  it("compiles specs that may still change each time", () => {
    const spec = { ...toTool("a").spec };
    const names = snapshotOf(spec);
    offerChosen(names, ["a"], { format });
    spec.description = "Is something else.";
    expect(JSON.stringify(offerChosen(names, ["a"], { format }).definitions)).toContain("Is something else.");
  });
});
