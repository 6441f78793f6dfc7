import type { CompiledFunction } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { compileSource, placesOf } from "../__fixtures__/compile-source.ts";

function methodsOf(source: string, others?: Record<string, string>): string[] {
  return compileSource(source, others).tools.map(({ export: exported, spec }) => {
    const { method, static: isStatic } = spec.implementation as CompiledFunction;
    return `${spec.name}: ${exported}${isStatic === true ? "." : "#"}${method ?? ""}`;
  });
}

describe("toMethodCandidates", () => {
  it("takes the documented public methods of a documented class, static ones and inherited ones of the package", () => {
    const source = `
import { Base } from "./base.ts";
import { EventEmitter } from "other";
/** Looks at the weather. @effects read @category weather */
export class Weather extends Base {
  constructor(private readonly url = "x") { super(); }
  /** Looks. */
  async lookUp(city: string): Promise<string> { return city; }
  /** Reads. @effects pure */
  static parse(text: string): number { return 0; }
  /** Hidden. */
  private hidden(): void {}
  /** Hidden. */
  protected guarded(): void {}
  /** Hidden. */
  #secret(): void {}
  /** Not one. */
  get value(): string { return ""; }
  /** Not one. @internal */
  inside(): void {}
  /** Not one. */
  handler = (): void => {};
}`;
    const others = {
      "src/base.ts": `import { Other } from "other";
export abstract class Base extends Other {
  /** Is inherited. */
  ping(): string { return ""; }
}`,
      "node_modules/other/package.json": '{ "name": "other", "types": "./index.d.ts" }',
      "node_modules/other/index.d.ts":
        "export declare class Other {\n  /** Of another package. */\n  foreign(): void;\n}",
    };
    expect(methodsOf(source, others)).toEqual([
      "look_up: Weather#lookUp",
      "parse: Weather.parse",
      "ping: Weather#ping",
    ]);
    const { tools } = compileSource(source, others);
    expect(tools.map(({ spec }) => spec.metadata.category)).toEqual(["weather", "weather", "weather"]);
    expect(tools.map(({ spec }) => spec.metadata.effects.readOnly)).toEqual([true, true, true]);
  });

  it("refuses a class of which no instance can be made, at what stands in the way", () => {
    const cases = {
      "export class A {\n  constructor(url: string) {}\n": "src/index.ts:3:3",
      "export class A {\n  private constructor() {}\n": "src/index.ts:3:3",
      "export abstract class A {\n\n": "src/index.ts:2:23",
    };
    for (const [head, place] of Object.entries(cases)) {
      const source = `/** A. */\n${head}  /** F. @effects pure */\n  f(): void {}\n  /** G. @effects pure */\n  static g(): void {}\n}`;
      const result = compileSource(source);
      expect(placesOf(result)).toEqual([`${place} error class_not_constructible`]);
      expect(result.tools.map(({ spec }) => spec.name)).toEqual(["g"]);
    }
  });

  it("says why a class has no tools", () => {
    const result = compileSource(`
export class Bare { f(): void {} }
/** An error. */
export class Failure extends Error {
  code = 1;
}
/** Nothing. @internal */
export class Hidden { f(): void {} }
`);
    expect(placesOf(result)).toEqual([
      "src/index.ts:2:14 info export_undocumented",
      "src/index.ts:4:14 info class_without_tools",
    ]);
  });

  it("leaves a BaseTool to the code, also through a class between", () => {
    const result = compileSource(`
import { BaseTool } from "@aiw/core";
abstract class Middle extends BaseTool { readonly name = "x"; }
/** A tool. */
export class Mine extends Middle {
  /** Works. */
  async executeImpl(args: {}): Promise<string> { return ""; }
}`);
    expect(result.tools).toEqual([]);
    expect(placesOf(result)).toEqual(["src/index.ts:5:14 info left_to_code"]);
  });

  it("takes decorated methods by the symbol of the decorator, not by its text", () => {
    const source = `
import { tool as ours } from "@aiw/core";
import * as core from "@aiw/core";
import { again } from "./again.ts";
const tool = (value: unknown, context: unknown): void => {};
export class A {
  /** One. @effects pure */
  @ours async one(a: string): Promise<string> { return a; }
  @core.tool({ description: "Two.", effects: "pure" }) async two(): Promise<void> {}
  @again({ description: "Three.", effects: "pure" }) static async three(): Promise<void> {}
  /** Not ours. */
  @tool async four(): Promise<void> {}
  /** Not decorated. */
  async five(): Promise<void> {}
}`;
    expect(methodsOf(source, { "src/again.ts": 'export { tool as again } from "@aiw/core";' })).toEqual([
      "one: A#one",
      "three: A.three",
      "two: A#two",
    ]);
  });

  it("lets literal values of the decorator override what is inferred", () => {
    const { tools, diagnostics } = compileSource(`
import { tool } from "@aiw/core";
const SECONDS = 1000;
export class A {
  /** Inferred. @category inferred @tags one @timeout 9s */
  @tool({
    name: "named", description: "Said.", title: "Named", version: "2", category: "said", tags: ["a", "b"],
    effects: { readOnly: true, openWorld: false }, permissions: ["net"], requiresApproval: true, timeoutMs: SECONDS,
    custom: { mine: [1, null] }, instructions: { purpose: "When asked." },
    parameters: ["city", "days"], parameterDescriptions: { city: "Where." }, output: { type: "number" },
  })
  async one(a: string, b: number): Promise<string> { return a; }
}`);
    expect(diagnostics).toEqual([]);
    expect(tools[0]).toMatchObject({
      export: "A",
      spec: {
        name: "named",
        title: "Named",
        description: "Said.",
        inputSchema: {
          properties: { city: { type: "string", description: "Where." }, days: { type: "number" } },
          required: ["city", "days"],
        },
        outputSchema: { type: "number" },
        instructions: { purpose: "When asked." },
        metadata: {
          version: "2",
          category: "said",
          tags: ["a", "b"],
          effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
          permissions: ["net"],
          requiresApproval: true,
          timeoutMs: 1000,
          custom: { mine: [1, null] },
        },
        implementation: { compiled: true, method: "one", parameters: ["city", "days"] },
      },
    });
  });

  it("leaves a decorated method with a schema of its own to the code", () => {
    const result = compileSource(`
import { tool } from "@aiw/core";
const input = {};
export class A {
  @tool({ description: "A.", input }) async one(a: Map<string, string>): Promise<void> {}
  @tool({ description: "B.", inputSchema: make() }) async two(a: string): Promise<void> {}
}
declare function make(): object;`);
    expect(result).toMatchObject({ tools: [], diagnostics: [] });
  });

  it("refuses to describe a parameter that is none", () => {
    const source = `import { tool } from "@aiw/core";
export class A {
  /** Says hi. */
  @tool({ effects: "pure", parameterDescriptions: { city: "Where.", ctiy: "Where." } })
  async hi(city: string): Promise<void> {}
}`;
    const result = compileSource(source);
    expect(placesOf(result)).toEqual(["src/index.ts:4:3 error decorator_invalid"]);
    expect(result.diagnostics[0]?.fix).toContain("city");
  });

  it("says of documented fields that hold a function that they are no methods", () => {
    const source = `/** A.
 * @effects pure */
export class A {
  /** Doubles. */
  double = (n: number): number => n * 2;
  /** Nobody's. */
  private hidden = () => 1;
  /** Left out. @internal */
  inside = () => 1;
  undocumented = () => 1;
  /** No function. */
  size = 3;
  /** Halves. */
  halve(n: number): number { return n / 2; }
}`;
    const result = compileSource(source);
    expect(placesOf(result)).toEqual(["src/index.ts:5:3 info field_no_method"]);
    expect(result.tools.map(({ spec }) => spec.name)).toEqual(["halve"]);
  });

  it("refuses values that only running the code would tell, at each of them", () => {
    const result = compileSource(`
import { tool } from "@aiw/core";
declare const facts: object;
export class A {
  @tool({ description: "A.", category: process.env.X, effects: "pure" }) async one(): Promise<void> {}
  @tool({ ...facts }) async two(): Promise<void> {}
  @tool(facts) async three(): Promise<void> {}
  @tool({ description: "D.", effects: "some" }) async four(): Promise<void> {}
  @tool({ description: "E.", effects: "pure", tags: "a" }) async five(): Promise<void> {}
  @tool({ description: "F.", effects: "pure", parameters: ["a"] }) async six(): Promise<void> {}
}`);
    expect(result.tools).toEqual([]);
    expect(placesOf(result)).toEqual([
      "src/index.ts:5:30 error decorator_not_literal",
      "src/index.ts:6:11 error decorator_not_literal",
      "src/index.ts:7:9 error decorator_not_literal",
      "src/index.ts:8:55 error decorator_invalid",
      "src/index.ts:9:3 error definition_invalid",
      "src/index.ts:10:3 error decorator_invalid",
    ]);
  });
});
