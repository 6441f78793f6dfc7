import { describe, expect, it } from "vitest";
import type { JsonObject, JsonSchema } from "../../contract/json.ts";
import { defineTool } from "../../define/define-tool.ts";
import { ToolError } from "../../errors/tool-error.ts";
import { validateInput } from "../validate-input.ts";

interface Suggesting {
  readonly example?: JsonObject;
  readonly effects?: { readonly destructive: boolean };
  readonly secretNames?: readonly string[];
}

const suggest = async (
  inputSchema: JsonSchema,
  input: JsonObject,
  { example, effects, secretNames = [] }: Suggesting = {},
): Promise<string | undefined> => {
  const { spec } = defineTool({
    name: "tool",
    description: "Does it.",
    input: inputSchema,
    ...(example && { instructions: { examples: [{ when: "do it", input: example }] } }),
    effects: { readOnly: false, destructive: false, ...effects },
    execute: () => 1,
  });
  const error: unknown = await validateInput(spec, input, { fillDefaults: true, secretNames }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!ToolError.is(error)) throw new Error(`admitted: ${JSON.stringify(input)}`, { cause: error });
  return error.suggestion;
};

const closed = (properties: JsonSchema["properties"] & {}, required: readonly string[] = []): JsonSchema => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

const text: JsonSchema = { type: "string" };
const texts: JsonSchema = { type: "array", items: text, minItems: 1 };
const change = closed({ old_text: { ...text, minLength: 1 }, new_text: text, all: { type: "boolean" } }, [
  "old_text",
  "new_text",
]);
const EXCLUDED = "Leave out exclude_paths, if it is not needed. Send paths, an array.";
const UNKNOWN = "Leave out undo_id, if it is not needed. Send paths, an array.";
const edit = closed({ path: text, edits: { type: "array", items: change }, strict: { type: "boolean" } }, ["path"]);

describe("suggestCall", () => {
  it.each<[string, JsonSchema, JsonObject, string]>([
    ["moves a value to the name that is meant", closed({ path: text }, ["path"]), { filePath: "a" }, 'tool(path="a")'],
    ["wraps it where a list is wanted", closed({ paths: texts }, ["paths"]), { file: "a" }, 'tool(paths=["a"])'],
    [
      "reads JSON in a text",
      closed({ paths: texts, n: { type: "integer" } }),
      { paths: '["a","b"]', n: "5" },
      'tool(paths=["a","b"], n=5)',
    ],
    [
      "keeps what is right",
      closed({ a: { const: 1 }, b: { type: "integer", maximum: 9 } }),
      { a: 1, b: 10 },
      "tool(a=1, b=9)",
    ],
    ["takes the only one left", closed({ patch: text }, ["patch"]), { input: "x" }, 'tool(patch="x")'],
    [
      "gathers what belongs together",
      edit,
      { file_path: "x", old_string: "a", new_string: "b" },
      'tool(path="x", edits=[{"old_text":"a","new_text":"b"}])',
    ],
    [
      "looks into items",
      edit,
      { path: "x", edits: [{ oldText: "a", new_text: "b", all: "true" }] },
      'tool(path="x", edits=[{"old_text":"a","new_text":"b","all":true}])',
    ],
    [
      "takes arguments out of what they were wrapped in",
      closed({ path: text }, ["path"]),
      { arguments: '{"path":"a"}' },
      'tool(path="a")',
    ],
    [
      "picks the branch that is meant",
      {
        type: "object",
        oneOf: [
          closed({ kind: { const: "line" }, line: { type: "integer" } }, ["kind", "line"]),
          closed({ kind: { const: "word" }, word: text }, ["kind", "word"]),
        ],
      },
      { kind: "word", words: ["a"] },
      'tool(kind="word", word="a")',
    ],
    [
      "leaves open members alone",
      { type: "object", properties: { city: text, days: { type: "integer" } }, required: ["city"] },
      { town: "x", citty: "Bonn", day: 3 },
      'tool(city="Bonn", town="x", day=3)',
    ],
    [
      "follows references",
      { ...closed({ at: { $ref: "#/$defs/at" } }), $defs: { at: closed({ line: { type: "integer" } }, ["line"]) } },
      { at: { Line: "3" } },
      'tool(at={"line":3})',
    ],
    [
      "writes hidden characters as escapes",
      closed({ path: text }, ["path"]),
      { file: "a\u202eb" },
      String.raw`tool(path="a\u202eb")`,
    ],
  ])("%s", async (_does, schema, input, call) => {
    expect(await suggest(schema, input)).toBe(`Call it like this: ${call}`);
  });

  it.each<[string, JsonSchema, JsonObject, string]>([
    ["what means nothing", closed({ path: text }), { path: "a", colour: "red" }, '(without colour): tool(path="a")'],
    [
      "a value that fits nowhere",
      closed({ path: text, n: { type: "integer" } }),
      { path: "a", n: "many" },
      '(without n): tool(path="a")',
    ],
    [
      "items beyond the most",
      closed({ paths: { ...texts, maxItems: 1 } }),
      { paths: ["a", "b"] },
      '(without paths[1]): tool(paths=["a"])',
    ],
    [
      "what only the validator refuses",
      closed({ path: text, at: { ...text, pattern: "^[0-9]+$" } }),
      { path: "a", at: "b" },
      '(without at): tool(path="a")',
    ],
    [
      "an item that is there before",
      closed({ tags: { ...texts, uniqueItems: true } }),
      { tags: ["a", "b", "a"] },
      '(without tags[2]): tool(tags=["a","b"])',
    ],
    ["what is as near to two names", closed({ a_id: text, b_id: text }), { id: "x" }, "(without id): tool()"],
    ["more than three", closed({}), { a: 1, b: 1, c: 1, d: 1, e: 1 }, "(without a, b, c and 2 more): tool()"],
  ])("leaves out, and says so, %s", async (_what, schema, input, call) => {
    expect(await suggest(schema, input)).toBe(`Call it like this ${call}`);
  });

  it("shows by example what is missing, and says so", async () => {
    const schema = closed({ path: text, content: text }, ["path", "content"]);
    const example = { path: "notes", content: "Hello." };
    expect(await suggest(schema, { path: "a" }, { example })).toBe(
      'Call it like this (content is an example): tool(path="a", content="Hello.")',
    );
    expect(await suggest(schema, {}, { example })).toBe('Call it like this: tool(path="notes", content="Hello.")');
  });

  it("names nothing else to destroy than the caller did", async () => {
    const schema = closed({ paths: texts }, ["paths"]);
    const options = { example: { paths: ["old.ts"] } };
    const input = { what: "a", other: "b" };
    expect(await suggest(schema, input, { ...options, effects: { destructive: true } })).toBe(
      "Leave out what, if it is not needed. Leave out other, if it is not needed. Send paths, an array.",
    );
    expect(await suggest(schema, input, options)).toBe('Call it like this: tool(paths=["old.ts"])');
  });

  it.each<[string, JsonObject, string]>([
    ["without what may have held it back", { paths: ["a"], dryRun: true }, "Leave out dryRun, if it is not needed."],
    ["on what was named to be spared", { exclude_paths: ["a"] }, EXCLUDED],
    ["on what was not named as a path", { undo_id: "u1" }, UNKNOWN],
    ["with content that nobody sent", { paths: ["a"], put: {} }, "Send put.text, a string."],
    ["as its own opposite", { paths: ["a"], no_force: true }, "Leave out no_force, if it is not needed."],
  ])("suggests no destructive call %s", async (_how, input, told) => {
    const put = closed({ text }, ["text"]);
    const schema = closed({ paths: texts, put, force: { type: "boolean" } }, ["paths"]);
    expect(await suggest(schema, input, { effects: { destructive: true } })).toBe(told);
  });

  it("suggests a destructive call without a remark on it", async () => {
    const schema = closed({ paths: texts }, ["paths"]);
    expect(await suggest(schema, { paths: "a", reason: "old" }, { effects: { destructive: true } })).toBe(
      'Call it like this (without reason): tool(paths=["a"])',
    );
  });

  it("names the changes alone of a call too long to be written", async () => {
    const input = {
      file_path: "x",
      edits: JSON.stringify([{ old_text: "a", new_text: "b".repeat(500) }]),
      strict: "true",
    };
    expect(await suggest(edit, input)).toBe("Send edits as an array. Send strict as true. Rename file_path to path.");
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`x${index}`, "y".repeat(100)]));
    expect(await suggest({ ...edit, additionalProperties: false }, { path: "p".repeat(500), ...many })).toMatch(
      /^(?:Leave out x\d\. ){8}And 12 more\.$/u,
    );
  });

  it("repeats no secret", async () => {
    const schema = closed({ user: text, password: { ...text, writeOnly: true }, pin: { type: "integer" } }, ["user"]);
    expect(await suggest(schema, { user: "u", pasword: "s3cret" })).toBe("Rename pasword to password.");
    expect(await suggest(schema, { user: "u", password: "s3cret", colour: "red" })).toBe("Leave out colour.");
    expect(await suggest(schema, { user: "u", pin: "1234" }, { secretNames: ["pin"] })).toBe("Send pin as an integer.");
  });

  it("falls back to the sample, and to nothing", async () => {
    const never = closed({ a: { not: {} } }, ["a"]);
    expect(await suggest(never, { b: 1 })).toBeUndefined();
    const schema = closed({ a: { type: "string", format: "date" } }, ["a"]);
    expect(await suggest(schema, { a: "soon" })).toBe('Call it like this: tool(a="2026-01-31")');
  });
});
