import { Ajv2020 } from "ajv/dist/2020.js";
import { fullFormats } from "ajv-formats/dist/formats.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TypeProgram } from "./__fixtures__/compile-types.ts";
import { mutantsOf, printTree, typeTree, valuesOf, type TypeTree } from "./__fixtures__/type-tree.ts";

const ajv = new Ajv2020({ strict: true, ownProperties: true, formats: { ...fullFormats } });

/** All types of one run are one program. */
function compileAll(trees: readonly TypeTree[]): TypeProgram {
  const sources = trees.map((tree, index) => {
    const { declarations, type } = printTree(tree);
    return [`/types/${index}.ts`, `${declarations}\nexport type Case = ${type};\n`] as const;
  });
  return new TypeProgram(new Map(sources));
}

describe("toSchema", () => {
  it("admits every value of a type, and none that is near one", () => {
    const trees = fc.array(typeTree, { minLength: 60, maxLength: 60 });
    fc.assert(
      fc.property(trees, fc.nat(), (types, seed) => {
        const program = compileAll(types);
        for (const [index, tree] of types.entries()) {
          const file = `/types/${index}.ts`;
          expect(program.errorsOf(file)).toEqual([]);
          const { schema, remarks } = program.compile(file);
          expect(remarks).toEqual([]);
          const isValid = ajv.compile(schema);
          for (const value of fc.sample(valuesOf(tree), { numRuns: 4, seed })) {
            expect([printTree(tree), value, isValid(value)]).toEqual([printTree(tree), value, true]);
            for (const mutant of mutantsOf(tree, value)) {
              expect([printTree(tree), mutant, isValid(mutant)]).toEqual([printTree(tree), mutant, false]);
            }
          }
        }
      }),
      { numRuns: 4, endOnFailure: true },
    );
  });

  it("gives the same bytes each time", () => {
    fc.assert(
      fc.property(fc.array(typeTree, { minLength: 10, maxLength: 10 }), (types) => {
        const [forwards, backwards] = [compileAll(types), compileAll(types.toReversed())];
        for (const index of types.keys()) {
          const first = forwards.compile(`/types/${index}.ts`).schema;
          const second = backwards.compile(`/types/${types.length - 1 - index}.ts`).schema;
          expect(JSON.stringify(second)).toBe(JSON.stringify(first));
        }
      }),
      { numRuns: 4 },
    );
  });
});
