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

  describe("names in an example", () => {
    const SOURCE = `
import * as limits from "./limits.ts";
export enum Level { Low, High = "high" }
const NEAR = 5;
const PRESETS = { small: { days: 2 }, big: -3, off: false, deep: [{ at: 1 }] } as const;
const OPEN = { days: 1 };
let changing = 4;
class Places { static readonly home = "home"; }
/**
 * A.
 * @effects pure
 * @example look: EXAMPLE
 */
export function look(at: { value?: unknown }): void {}`;
    const lookAt = (example: string): ReturnType<typeof compileSource> =>
      compileSource(SOURCE.replace("EXAMPLE", example.replaceAll("\n", "\n * ")), {
        "src/limits.ts": "export enum Far { Most = 99 }\nexport const LEAST = 1;",
      });

    it.each<readonly [string, unknown]>([
      ["Level.Low", 0],
      ["Level.High", "high"],
      ["Level['High']", "high"],
      ["[NEAR, -NEAR]", [5, -5]],
      ["PRESETS.small", { days: 2 }],
      ["PRESETS.small.days", 2],
      ["PRESETS.big", -3],
      ["PRESETS.off", false],
      ["OPEN", { days: 1 }],
      ["Places.home", "home"],
      ["limits.Far.Most", 99],
      ["limits.LEAST", 1],
    ])("reads %s as what it is known to be", (code, value) => {
      const { tools } = lookAt(`look({ value: ${code} })`);
      expect(tools[0]?.spec.instructions?.examples).toEqual([{ when: "look", input: { value } }]);
    });

    it("takes a name that the example declares itself for that", () => {
      const { tools } = lookAt("\n```ts\nconst NEAR = 'own';\nlook({ value: NEAR });\n```");
      expect(tools[0]?.spec.instructions?.examples).toEqual([{ when: "look", input: { value: "own" } }]);
    });

    it.each([
      "changing",
      "OPEN.days",
      "Level.None",
      "missing",
      "missing.deep",
      "Level",
      "limits",
      "PRESETS.deep.map(String)",
      "PRESETS.__proto__",
      "Math.random()",
      "\n```ts\nlet NEAR = 1;\nlook({ value: NEAR })\n```",
      "\n```ts\nconst Level = { Low: 7 };\nlook({ value: Level.Low })\n```",
      "\n```ts\nconst loop = loop;\nlook({ value: loop })\n```",
    ])("does not guess at %j", (code) => {
      const result = lookAt(code.includes("look(") ? code : `look({ value: ${code} })`);
      expect(result.tools[0]?.spec.instructions?.examples).toBeUndefined();
      expect(result.diagnostics.map((diagnostic) => diagnostic.code)).toContain("example_unreadable");
    });
  });

  it("writes the name of an enum member in the place of a positional parameter", () => {
    const source = `export enum Side { Left = "left" }\n/**\n * A.\n * @effects pure\n * @example turn around: turn(Side.Left)\n */\nexport const turn = (to: Side): void => {};`;
    expect(compileOne(source).spec.instructions?.examples).toEqual([{ when: "turn around", input: { to: "left" } }]);
  });
});
