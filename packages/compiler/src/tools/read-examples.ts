import type { Json, JsonObject, JsonSchema, ToolExample } from "@aiw/core";
import { ts } from "@ts-morph/common";
import type { Report } from "../docs/read-constraints.ts";
import type { DocTag } from "../docs/read-doc.ts";
import { joinLines } from "../docs/render-comment.ts";
import type { Candidate } from "./candidate.ts";
import { explainMismatch } from "./explain-mismatch.ts";
import type { NameScope } from "./find-constant.ts";
import { readLiteral } from "./literal-value.ts";
import type { ToolInput, ToolReading } from "./read-input.ts";

/** Characters of one example. */
const MAX_EXAMPLE = 20_000;

/** What an example without words is for. */
const NO_WORDS = "see how it is called";

/** Reads `@example` blocks: words, and a call of the function or the arguments as an object. */
export function readExamples(
  candidate: Candidate,
  input: ToolInput,
  { compilation: { checker }, report }: ToolReading,
): ToolExample[] {
  const scope = { checker, place: (candidate.signature.declaration ?? candidate.node).parent };
  return (candidate.doc?.examples ?? []).flatMap((tag) => {
    const { when, code } = splitExample(tag.text.slice(0, MAX_EXAMPLE));
    const found = code === undefined ? undefined : readInputOf(code, candidate, { ...input, scope });
    if (found === undefined) {
      report(unreadable(tag, candidate.ownName, input));
      return [];
    }
    const mismatch = explainMismatch(input.schema, found);
    if (mismatch !== undefined) {
      report(refused(tag, mismatch));
      return [];
    }
    return [{ when: toPhrase(when), input: found }];
  });
}

interface ExampleParts {
  readonly when: string;
  readonly code: string | undefined;
}

/** Code stands in a fence, or begins on a line of its own, or after a colon. */
function splitExample(text: string): ExampleParts {
  const ticked = /^`([^`]+)`$/.exec(text)?.[1];
  if (ticked !== undefined) return { when: "", code: ticked };
  const fence = /```[^\n]*\n([\s\S]*?)(?:\n[^\S\n]*```|$)/.exec(text);
  if (fence !== null) return { when: text.slice(0, fence.index), code: fence[1] };
  const bare =
    /(?:^|\n|:\s)[^\S\n]*((?:(?:const|let)\s[^\n=]*=\s*)?(?:await\s+)?(?:new\s+)?(?:\{|[\w$.]+\()[\s\S]*)$/.exec(text);
  if (bare === null) return { when: text, code: undefined };
  return { when: text.slice(0, bare.index), code: bare[1] };
}

/** Words without what JSDoc and Markdown put around them. */
function toPhrase(text: string): string {
  const plain = joinLines(text.replaceAll(/<\/?caption>/g, "").replaceAll(/^(?:#+|\/\/+)\s+/gm, ""))
    .replaceAll(/\s+/g, " ")
    .replace(/(?<![\s:.])[\s:.]+$/, "")
    .trim();
  return plain === "" ? NO_WORDS : plain;
}

/** An input, and where the names of its examples are looked up. */
interface KnownInput extends ToolInput {
  readonly scope: NameScope;
}

/** Code that nests without end is code that nobody can read. */
function readInputOf(code: string, candidate: Candidate, input: KnownInput): JsonObject | undefined {
  try {
    return parseInput(code, candidate, input);
  } catch (cause) {
    if (cause instanceof RangeError) return undefined;
    throw cause;
  }
}

function parseInput(code: string, candidate: Candidate, input: KnownInput): JsonObject | undefined {
  const object = parse(`(${code}\n)`);
  const [first] = object.isLegal ? object.statements : [];
  if (first !== undefined && ts.isExpressionStatement(first)) {
    const value = toObject(first.expression, input.scope);
    if (value !== undefined) return value;
  }
  const names = new Set([candidate.ownName, candidate.export]);
  const call = parse(code)
    .statements.map((statement) => findCall(statement, names))
    .find((found) => found !== undefined);
  return call && toArguments(call, input);
}

interface ParsedCode {
  readonly statements: readonly ts.Statement[];
  readonly isLegal: boolean;
}

function parse(code: string): ParsedCode {
  const file = ts.createSourceFile("example.ts", code, ts.ScriptTarget.Latest, true);
  const { parseDiagnostics = [] } = file as { readonly parseDiagnostics?: readonly ts.Diagnostic[] };
  return { statements: [...file.statements], isLegal: parseDiagnostics.length === 0 };
}

function findCall(node: ts.Node, names: ReadonlySet<string>): ts.CallExpression | undefined {
  if (ts.isCallExpression(node)) {
    const { expression } = node;
    const callee = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
    if (ts.isIdentifier(callee) && names.has(callee.text)) return node;
  }
  return ts.forEachChild(node, (child) => findCall(child, names));
}

function toObject(node: ts.Expression, scope: NameScope): JsonObject | undefined {
  const literal = readLiteral(node, scope);
  return literal.known && isObject(literal.value) ? literal.value : undefined;
}

function toArguments(
  { arguments: given }: ts.CallExpression,
  { parameters, rest, scope }: KnownInput,
): JsonObject | undefined {
  if (parameters === undefined) return given[0] === undefined ? {} : toObject(given[0], scope);
  const values = given.map((node) => readLiteral(node, scope));
  if (values.some(({ known }) => !known)) return undefined;
  const plain = values.map((value) => (value.known ? value.value : undefined));
  const last = parameters.length - 1;
  const entries = parameters.map((name, index): [string, Json | undefined] => {
    if (rest !== true || index < last) return [name, plain[index]];
    const items = plain.slice(last).filter((item) => item !== undefined);
    return [name, items.length === 0 ? undefined : items];
  });
  return Object.fromEntries(entries.filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function unreadable({ node }: DocTag, name: string, { schema }: ToolInput): Parameters<Report>[0] {
  const [first = "value"] = Object.keys((schema as JsonSchema).properties ?? {});
  return {
    code: "example_unreadable",
    severity: "warning",
    message: "The example has no call with values that are written out, so no model is shown it.",
    fix: `Write when it is of use, and then the call (${name.slice(0, 60)}(…)) or its arguments: { ${JSON.stringify(first.slice(0, 60))}: … }.`,
    node,
  };
}

function refused({ node }: DocTag, mismatch: string): Parameters<Report>[0] {
  return {
    code: "example_invalid",
    severity: "error",
    message: `The example does not fit the input schema: ${mismatch}.`,
    fix: "Correct the example or the types: a model imitates it.",
    node,
  };
}
