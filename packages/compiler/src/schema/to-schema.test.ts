import { toCanonicalJson, validateSpec } from "@aiw/core";
import { Ajv2020 } from "ajv/dist/2020.js";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { describe, expect, it } from "vitest";
import { TypeProgram } from "./__fixtures__/compile-types.ts";
import { COMPUTED_CASES } from "./__fixtures__/computed-cases.ts";
import { DATE_CASES } from "./__fixtures__/date-cases.ts";
import { DOCUMENTED_CASES } from "./__fixtures__/documented-cases.ts";
import { ENUM_CASES } from "./__fixtures__/enum-cases.ts";
import { LIST_CASES } from "./__fixtures__/list-cases.ts";
import { MAPPED_CASES } from "./__fixtures__/mapped-cases.ts";
import { OBJECT_CASES } from "./__fixtures__/object-cases.ts";
import { PRIMITIVE_CASES } from "./__fixtures__/primitive-cases.ts";
import { RECURSIVE_CASES } from "./__fixtures__/recursive-cases.ts";
import { REFUSED_CONSTRAINT_CASES } from "./__fixtures__/refused-constraint-cases.ts";
import { REFUSED_PLATFORM_CASES } from "./__fixtures__/refused-platform-cases.ts";
import { REFUSED_SHAPE_CASES } from "./__fixtures__/refused-shape-cases.ts";
import { REFUSED_VALUE_CASES } from "./__fixtures__/refused-value-cases.ts";
import type { RefusedCase, SchemaCase } from "./__fixtures__/schema-case.ts";
import { TEMPLATE_CASES } from "./__fixtures__/template-cases.ts";
import { UNION_CASES } from "./__fixtures__/union-cases.ts";

const CASES: Readonly<Record<string, readonly SchemaCase[]>> = {
  primitives: PRIMITIVE_CASES,
  "template literals": TEMPLATE_CASES,
  unions: UNION_CASES,
  enums: ENUM_CASES,
  lists: LIST_CASES,
  objects: OBJECT_CASES,
  "mapped types": MAPPED_CASES,
  "computed types": COMPUTED_CASES,
  "types that contain themselves": RECURSIVE_CASES,
  dates: DATE_CASES,
  documentation: DOCUMENTED_CASES,
};

const REFUSED: Readonly<Record<string, readonly RefusedCase[]>> = {
  values: REFUSED_VALUE_CASES,
  "types of the platform": REFUSED_PLATFORM_CASES,
  shapes: REFUSED_SHAPE_CASES,
  constraints: REFUSED_CONSTRAINT_CASES,
};

/** All cases are one program, whose library is read once. */
const all = [...Object.values(CASES), ...Object.values(REFUSED)].flat();
const fileOf = new Map(all.map((one, index) => [one, `/cases/${index}.ts`]));
const program = new TypeProgram(
  new Map(
    [...fileOf].map(([{ declarations = "", type }, file]) => [file, `${declarations}\nexport type Case = ${type};\n`]),
  ),
);
const ajv = new Ajv2020({ strict: true, ownProperties: true, formats: { ...fullFormats } });

function compile(one: SchemaCase | RefusedCase): ReturnType<TypeProgram["compile"]> {
  return program.compile(fileOf.get(one) ?? "", one.direction);
}

function depthOf(value: unknown): number {
  return typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
}

describe("toSchema", () => {
  describe.each(Object.entries(CASES))("of %s", (_, cases) => {
    it.each(cases)("makes $name", (one) => {
      expect(program.errorsOf(fileOf.get(one) ?? "")).toEqual([]);
      const { schema, dates, remarks } = compile(one);
      // Texts, not objects: the order of keywords and members is part of the promise.
      expect(JSON.stringify(schema, undefined, 1)).toBe(JSON.stringify(one.schema, undefined, 1));
      expect(dates).toEqual(one.dates ?? []);
      expect(remarks.map(({ code }) => code)).toEqual(one.remarks ?? []);
    });

    it.each(cases)("gives validators what they take: $name", (one) => {
      const { schema } = compile(one);
      const isValid = ajv.compile(schema);
      for (const value of one.valid ?? []) expect([value, isValid(value), isValid.errors]).toEqual([value, true, null]);
      for (const value of one.invalid ?? []) expect([value, isValid(value)]).toEqual([value, false]);
      const effects = { readOnly: false, destructive: true, idempotent: false, openWorld: true };
      const metadata = { tags: [], permissions: [], effects };
      const inputSchema = { type: "object", properties: { value: schema } };
      expect(validateSpec({ name: "one", description: "One.", type: "function", inputSchema, metadata })).toEqual([]);
    });
  });

  describe.each(Object.entries(REFUSED))("refuses %s", (_, cases) => {
    it.each(cases)("such as $name", (one) => {
      const errors = compile(one).remarks.filter(({ severity }) => severity === "error");
      expect(errors.map(({ code }) => code)).toEqual([one.code]);
      const [error] = errors;
      expect(error?.message).toContain(one.says);
      expect(error?.fix).toContain(one.fix);
      expect(error?.node.getText()).toContain(one.at ?? "");
      expect(error?.node.getText().length).toBeLessThan(200);
    });
  });

  it("says the same whatever else is compiled", () => {
    const others = all.filter((one): one is SchemaCase => "schema" in one).toReversed();
    const files = new Map(others.map((one, index) => [one, `/other/${index}.ts`]));
    const sources = [...files].map(
      ([{ declarations = "", type }, file]) => [file, `${declarations}\nexport type Case = ${type};\n`] as const,
    );
    const reversed = new TypeProgram(new Map(sources));
    for (const [one, file] of files) {
      expect(`${one.name} ${JSON.stringify(reversed.compile(file, one.direction).schema)}`).toBe(
        `${one.name} ${JSON.stringify(one.schema)}`,
      );
    }
  });

  it("keeps one shape for a large type that is used twice", () => {
    const members = Array.from(
      { length: 40 },
      (_, index) => `/** Says what the member is for. */\nmember${index}: string;\n`,
    ).join("");
    const source = `interface Large {\n${members}}\nexport type Case = { a: Large; b: Large };`;
    const { schema } = new TypeProgram(new Map([["/a.ts", source]])).compile("/a.ts");
    expect(schema.properties).toEqual({ a: { $ref: "#/$defs/Large" }, b: { $ref: "#/$defs/Large" } });
    expect(toCanonicalJson(schema)).toContain("member39");
  });

  it("stays small where each level is used twice by the next", () => {
    const levels = Array.from(
      { length: 30 },
      (_, index) => `interface L${index} { left: L${index + 1}; right: L${index + 1} }`,
    );
    const source = `${levels.join("\n")}\ninterface L30 { value: string }\nexport type Case = L0;`;
    const { schema, remarks } = new TypeProgram(new Map([["/a.ts", source]])).compile("/a.ts");
    expect(remarks).toEqual([]);
    expect(JSON.stringify(schema).length).toBeLessThan(20_000);
    expect(() => ajv.compile(schema)).not.toThrow();
  });

  it("stays within the depth that hosts take", () => {
    const levels = Array.from({ length: 18 }, (_, index) => `interface D${index} { next: D${index + 1}[] }`);
    const source = `${levels.join("\n")}\ninterface D18 { value: string }\nexport type Case = D0;`;
    const { schema, remarks } = new TypeProgram(new Map([["/a.ts", source]])).compile("/a.ts");
    expect(remarks).toEqual([]);
    expect(Object.keys(schema["$defs"] ?? {}).length).toBeGreaterThan(0);
    expect(depthOf(schema)).toBeLessThan(60);
  });

  it("treats optional members alike under exactOptionalPropertyTypes", () => {
    const sources = new Map([["/a.ts", "export type Case = { a?: string; b?: number | undefined };"]]);
    const { schema } = new TypeProgram(sources, { exactOptionalPropertyTypes: true }).compile("/a.ts");
    expect(schema).toEqual({
      type: "object",
      properties: { a: { type: "string" }, b: { type: "number" } },
      additionalProperties: false,
    });
  });

  it("takes what null checks leave out for what is written", () => {
    const sources = new Map([["/a.ts", 'export type Case = { a: string | null; b?: "x" | "y" };']]);
    const { schema } = new TypeProgram(sources, { strict: false }).compile("/a.ts");
    expect(schema.properties).toEqual({ a: { type: "string" }, b: { type: "string", enum: ["x", "y"] } });
  });
});
