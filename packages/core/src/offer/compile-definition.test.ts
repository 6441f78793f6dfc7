import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defineTool } from "../define/define-tool.ts";
import { sampleInput } from "../schema/sample/sample-input.ts";
import { isToolSpec } from "../schema/validate-spec.ts";
import { compileDefinition, DEFINITION_FORMATS } from "./compile-definition.ts";
import { describeParameters } from "./describe-parameters.ts";
import { toPromptInstructions } from "./to-prompt-instructions.ts";

const { spec } = defineTool({ name: "add", description: "Adds.", effects: "pure", execute: () => 1 });

describe("compileDefinition", () => {
  it("gives an answer for every spec that passes the check, and so do the other ways to tell of it", () => {
    const keyword = fc.constantFrom(
      "type",
      "properties",
      "required",
      "items",
      "enum",
      "anyOf",
      "allOf",
      "oneOf",
      "not",
      "$ref",
      "$defs",
      "default",
      "description",
      "pattern",
      "const",
      "additionalProperties",
      "minimum",
      "minLength",
      "prefixItems",
      "a",
    );
    const { node } = fc.letrec<{ node: unknown }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 5, depthSize: "small" },
        fc.constantFrom(
          null,
          true,
          5,
          "object",
          "string",
          "array",
          "#",
          "#/$defs/a",
          "x",
          [],
          ["a"],
          ["string", "null"],
        ),
        fc.array(tie("node"), { maxLength: 3 }),
        fc.dictionary(keyword, tie("node"), { maxKeys: 4 }),
      ),
    }));
    const schemas = fc.dictionary(keyword, node, { maxKeys: 5 }).map((schema) => ({ ...schema, type: "object" }));
    fc.assert(
      fc.property(schemas, (inputSchema) => {
        const given: unknown = { ...spec, inputSchema, outputSchema: inputSchema };
        if (!isToolSpec(given)) return;
        for (const format of DEFINITION_FORMATS)
          expect(compileDefinition(given, { format })).toHaveProperty("name", "add");
        expect(toPromptInstructions(given)).toContain("**Tool: `add`**");
        expect([describeParameters(given), sampleInput(given)]).toEqual([expect.any(Array), expect.any(Object)]);
      }),
      { numRuns: 2000 },
    );
  });
});
