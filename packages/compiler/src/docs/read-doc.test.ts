import { ts } from "@ts-morph/common";
import { describe, expect, it } from "vitest";
import { readDoc, type Doc } from "./read-doc.ts";

function docOf(comment: string, file = "a.ts"): Doc | undefined {
  const source = ts.createSourceFile(file, `${comment}\nexport function f() {}`, ts.ScriptTarget.Latest, true);
  const [statement] = source.statements;
  return statement && readDoc(statement);
}

describe("readDoc", () => {
  it("joins the lines of a paragraph and keeps paragraphs, lists and code", () => {
    const comment =
      "/**\r\n * One\r\n * sentence.\r\n *\r\n * * first\r\n *   more\r\n * * second\r\n *\r\n * ```ts\r\n * a\r\n * b\r\n * ```\r\n */";
    expect(docOf(comment)?.summary).toBe("One sentence.\n\n* first more\n* second\n\n```ts\na\nb\n```");
  });

  it("renders links as the words a reader sees", () => {
    const comment =
      "/** See {@link Weather}, {@link Weather.city | the city}, {@linkcode x}, {@link https://a.b/c} and {@link https://a.b | this}. */";
    expect(docOf(comment)?.summary).toBe("See Weather, the city, x, https://a.b/c and this.");
  });

  it("tells parameters, their members and the tags that narrow them", () => {
    const comment =
      "/**\n * A.\n * @param options - All.\n * @param options.city The city.\n * @minLength 2\n * @returns what is left\n * @maximum 3\n */";
    const doc = docOf(comment);
    expect(
      doc?.parameters.map(({ path, text, constraints }) => [path.join("."), text, constraints.map(({ name }) => name)]),
    ).toEqual([
      ["options", "All.", []],
      ["options.city", "The city.", ["minLength"]],
    ]);
    expect(doc?.returns).toBe("what is left");
    expect(doc?.tags.map(({ name, text }) => [name, text])).toEqual([["maximum", "3"]]);
  });

  it("finds members in typed JSDoc", () => {
    const doc = docOf(
      "/**\n * A.\n * @param {object} options - All.\n * @param {string} options.city - The city.\n */",
      "a.js",
    );
    expect(doc?.parameters.map(({ path }) => path.join("."))).toEqual(["options", "options.city"]);
  });

  it("keeps examples whole, also where they have tags and braces", () => {
    const doc = docOf(
      "/**\n * A.\n * @example decorate\n * ```ts\n * class A { @tool({ a: 1 }) m() {} }\n * ```\n * @remarks More.\n */",
    );
    expect(doc?.examples.map(({ text }) => text)).toEqual(["decorate\n```ts\nclass A { @tool({ a: 1 }) m() {} }\n```"]);
    expect(doc?.remarks).toBe("More.");
  });

  it("takes the nearest comment, and none that speaks of the file", () => {
    expect(docOf("/** First. */\n/** Second. */")?.summary).toBe("Second.");
    expect(docOf("/** The file. @packageDocumentation */")).toBeUndefined();
    expect(docOf("// plain")).toBeUndefined();
  });
});
