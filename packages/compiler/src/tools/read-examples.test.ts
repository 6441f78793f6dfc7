import { describe, expect, it } from "vitest";
import { compileOne, compileSource, placesOf } from "../__fixtures__/compile-source.ts";

function sourceOf(
  example: string,
  head = "function getWeather({ city, days }: { city: string; days?: number })",
): string {
  const lines = example
    .split("\n")
    .map((line) => ` * ${line}`)
    .join("\n");
  return `/**\n * A.\n * @effects pure\n${lines}\n */\nexport ${head}: void {}`;
}

function examplesOf(example: string, head?: string): unknown {
  return compileOne(sourceOf(example, head)).spec.instructions?.examples;
}

describe("readExamples", () => {
  it("reads words and a call or arguments, fenced or bare", () => {
    const expected = [{ when: "get the weather in Rome", input: { city: "Rome", days: 2 } }];
    const forms = [
      "@example get the weather in Rome\n```ts\nconst w = await getWeather({ city: 'Rome', days: 2 }); // => sunny\n```",
      '@example\nget the weather in Rome:\n```json\n{ "city": "Rome", "days": 2 }\n```',
      '@example <caption>get the weather in Rome</caption>\ngetWeather({ city: "Rome", days: 2 })',
      '@example get the weather in Rome: { "city": "Rome", "days": 2 }',
      "@example get the weather in Rome: getWeather({ city: 'Rome', days: 2 });",
      "@example\n// get the weather in Rome\ngetWeather({ city: 'Rome', days: 2 });",
      "@example get the weather in Rome\nconst w = getWeather({\n  city: 'Rome',\n  days: 2,\n});",
    ];
    for (const form of forms) expect(examplesOf(form)).toEqual(expected);
  });

  it("reads a call between backticks", () => {
    const expected = [{ when: "see how it is called", input: { city: "Rome" } }];
    expect(examplesOf("@example `getWeather({ city: 'Rome' })`")).toEqual(expected);
  });

  it("puts positional arguments and a rest by their names", () => {
    const head = "function join(separator: string, deep = false, ...parts: string[])";
    expect(examplesOf("@example join two\n```ts\njoin('-', true, 'a', 'b')\n```\n@example join(',')", head)).toEqual([
      { when: "join two", input: { separator: "-", deep: true, parts: ["a", "b"] } },
      { when: "see how it is called", input: { separator: "," } },
    ]);
  });

  it("writes dates as JSON has them", () => {
    expect(examplesOf("@example look back: f(new Date('2026-01-02'))", "function f(since: Date)")).toEqual([
      { when: "look back", input: { since: "2026-01-02T00:00:00.000Z" } },
    ]);
  });

  it("refuses an example that the schema does not admit, at its tag", () => {
    for (const wrong of ["getWeather({ city: 3 })", "getWeather({})", '{ "city": "x", "town": "y" }']) {
      const result = compileSource(sourceOf(`@example look: ${wrong}`));
      expect(placesOf(result)).toEqual(["src/index.ts:4:4 error example_invalid"]);
      expect(result.tools).toEqual([]);
    }
  });

  it("warns of an example without values that are written out", () => {
    for (const vague of [
      "use it wisely",
      "```ts\ngetWeather(options)\n```",
      "```ts\nother({ city: 'x' })\n```",
      "```ts\n{{{\n```",
    ]) {
      const result = compileSource(sourceOf(`@example ${vague}`));
      expect(placesOf(result)).toEqual(["src/index.ts:4:4 warning example_unreadable"]);
      expect(result.tools).toHaveLength(1);
    }
  });

  it("finds the call of a method", () => {
    const source = `/** S. */\nexport class S {\n  /**\n   * A.\n   * @effects pure\n   * @example\n   * look around\n   * \`\`\`ts\n   * await new S().look("x");\n   * \`\`\`\n   */\n  look(at: string): void {}\n}`;
    expect(compileOne(source).spec.instructions?.examples).toEqual([{ when: "look around", input: { at: "x" } }]);
  });
});
