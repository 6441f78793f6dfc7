import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryConfig, arbitraryMutation } from "./__fixtures__/arbitrary-config.ts";
import { CONFIG_SCHEMA } from "./config-schema.ts";
import type { KeySchema } from "./keys/key-schema.ts";
import { checkConfig } from "./validate-config.ts";

const accepts = new Ajv({ strict: false }).compile(CONFIG_SCHEMA);

function leaves(schema: KeySchema, path: string): [string, KeySchema][] {
  if (schema["x-aiw-effect"] !== undefined) return [[path, schema]];
  const { properties = {}, additionalProperties: others } = schema;
  const members = [...Object.entries(properties), ...(others ? [["*", others] as const] : [])];
  return members.length === 0 ? [[path, schema]] : members.flatMap(([key, below]) => leaves(below, `${path}/${key}`));
}

describe("CONFIG_SCHEMA", () => {
  // After a change: node -e 'import("./src/config/config-schema.ts").then((m) => console.log(JSON.stringify(m.CONFIG_SCHEMA)))'
  // in packages/core, into aiw.config.schema.json; then format.
  it("is published as it is", () => {
    const published: unknown = JSON.parse(
      readFileSync(new URL("../../aiw.config.schema.json", import.meta.url), "utf8"),
    );
    expect(published).toEqual(CONFIG_SCHEMA);
  });

  it.each(leaves(CONFIG_SCHEMA, ""))("says of %s what it is, what it does and how it merges", (_path, schema) => {
    expect(schema.description).toMatch(/\.$/);
    expect(schema["x-aiw-effect"]).toBeDefined();
    expect(schema["x-aiw-merge"]).toBeDefined();
    expect(schema.default ?? schema.examples).toBeDefined();
  });

  it("gives examples and defaults it accepts itself", () => {
    const ajv = new Ajv({ strict: false });
    const judge = (schema: KeySchema): void => {
      const { default: standard, examples = [], properties = {}, items, additionalProperties } = schema;
      for (const value of [...(standard === undefined ? [] : [standard]), ...examples]) {
        expect({ value, right: ajv.validate(schema, value) }).toEqual({ value, right: true });
      }
      for (const below of Object.values(properties)) judge(below);
      if (items) judge(items);
      if (additionalProperties) judge(additionalProperties);
    };
    judge(CONFIG_SCHEMA);
  });

  it("accepts exactly the documents that validation accepts", () => {
    let right = 0;
    let wrong = 0;
    fc.assert(
      fc.property(fc.oneof(arbitraryConfig, arbitraryMutation), (config) => {
        const isRight = checkConfig(config).length === 0;
        if (isRight) right += 1;
        else wrong += 1;
        expect(accepts(config)).toBe(isRight);
      }),
      { numRuns: 1000 },
    );
    // A generator of one kind alone would prove nothing.
    expect(Math.min(right, wrong)).toBeGreaterThan(100);
  });
});
