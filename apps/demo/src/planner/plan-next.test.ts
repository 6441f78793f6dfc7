import type { JSONValue, LanguageModelV4Prompt } from "@ai-sdk/provider";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { toOfferedTools } from "./offered-tool.ts";
import { maximumSteps, planNext } from "./plan-next.ts";
import { readResults } from "./read-results.ts";

const text = { type: "string" } as const;
const definitions: readonly (readonly [string, Record<string, unknown>, string[]])[] = [
  ["bash", { command: text, timeout: { type: "number" } }, ["command"]],
  ["glob", { patterns: { type: "array", items: text }, path: text }, ["patterns"]],
  ["grep", { pattern: text, path: text, literal: { type: "boolean" } }, ["pattern"]],
  ["list", { path: text }, []],
  ["read", { file_paths: { type: "array", items: text }, limit: { type: "integer" } }, ["file_paths"]],
  ["web_fetch", { url: text }, ["url"]],
  ["write", { path: text, content: text, mode: text }, ["path", "content"]],
  ["add", { a: { type: "number" }, b: { type: "number" } }, ["a", "b"]],
];
const tools = toOfferedTools({
  tools: definitions.map(([name, properties, required]) => ({
    type: "function",
    name,
    description: `${name} things`,
    inputSchema: { type: "object", properties: properties as never, required },
  })),
});

type ToolMessage = Extract<LanguageModelV4Prompt[number], { role: "tool" }>;
type Output = Extract<ToolMessage["content"][number], { type: "tool-result" }>["output"];

/** Plays a turn with the given results in a circle and counts the steps to the answer. */
function play(
  request: string,
  outputs: readonly Output[] | ((toolName: string) => Output),
): { steps: number; answer: string } {
  const prompt: LanguageModelV4Prompt = [{ role: "user", content: [{ type: "text", text: request }] }];
  let used = 0;
  for (let steps = 0; steps <= maximumSteps; steps += 1) {
    const plan = planNext(readResults(prompt), tools);
    if (plan.kind === "answer") return { steps, answer: plan.text };
    prompt.push({
      role: "assistant",
      content: plan.calls.map(({ callId, toolName, input }) => ({
        type: "tool-call",
        toolCallId: callId,
        toolName,
        input,
      })),
    });
    prompt.push({
      role: "tool",
      content: plan.calls.map(({ callId, toolName }) => {
        used += 1;
        return {
          type: "tool-result",
          toolCallId: callId,
          toolName,
          output:
            typeof outputs === "function"
              ? outputs(toolName)
              : (outputs[used % outputs.length] ?? { type: "text", value: "" }),
        };
      }),
    });
  }
  return { steps: Number.POSITIVE_INFINITY, answer: "" };
}

const json = fc.jsonValue().map((value) => value as JSONValue);
const likely: fc.Arbitrary<JSONValue> = fc.record({
  success: fc.boolean(),
  error: fc.constantFrom(
    "",
    'read(file_paths=["a"]): File not found\nread(file_paths=["b.ts"])',
    "already exists",
    "too large",
    "not read",
    "nobody can approve",
    "timed out",
    "ECONNRESET",
  ),
  code: fc.constantFrom("not_found", "already_exists", "too_large", "unread_target", "approval_required", "timeout"),
  candidates: fc.array(fc.constantFrom("a.ts", "b.ts", "c.ts")),
  paths: fc.array(fc.constantFrom("package.json", "packages/a/package.json", "x/", "README.md")),
  content: fc.oneof(fc.string(), fc.constant("=== README.md ===\n`someName` here")),
});
const output: fc.Arbitrary<Output> = fc.oneof(
  fc.oneof(json, likely).map((value): Output => ({ type: "json", value })),
  fc.oneof(json, likely).map((value): Output => ({ type: "error-json", value })),
  fc
    .oneof(
      fc.string(),
      likely.map((value) => JSON.stringify(value)),
    )
    .map((value): Output => ({ type: "error-text", value })),
  fc.string().map((value): Output => ({ type: "text", value })),
  fc.constant<Output>({ type: "execution-denied", reason: "no" }),
);
const wish = fc.constantFrom(
  "what is this repository",
  "which packages does it have",
  "list src",
  "find *.ts",
  "read a.ts",
  "read a.ts and b.ts",
  "search for x in packages",
  "search for something it names",
  "find where `x` is defined",
  "run `ls`",
  "run it",
  "fetch http://127.0.0.1:1/",
  'write "x" to a.md',
  "write a report to r.md",
  "write the report to r.md, replacing it",
  "add 2 and 40",
  "hum a tune",
);
const request = fc.oneof(
  fc.string(),
  fc.array(wish, { maxLength: 14 }).map((wishes) => wishes.join(". ")),
);

describe("planNext", () => {
  it("answers any request within the bound of a turn, whatever the results", () => {
    fc.assert(
      fc.property(request, fc.array(output, { minLength: 1, maxLength: 6 }), (asked, outputs) => {
        const { steps, answer } = play(asked, outputs);
        expect(steps).toBeLessThanOrEqual(maximumSteps);
        expect(answer).toContain("not by a language model");
      }),
      { numRuns: 300 },
    );
  });

  it("answers even when no call ever gets a result it recognises", () => {
    const prompt: LanguageModelV4Prompt = [
      { role: "user", content: [{ type: "text", text: "read a.ts. write a report to r.md" }] },
    ];
    for (let step = 0; step < maximumSteps; step += 1) {
      prompt.push({
        role: "assistant",
        content: [{ type: "tool-call", toolCallId: `other_${step}`, toolName: "read", input: {} }],
      });
    }
    expect(planNext(readResults(prompt), tools).kind).toBe("answer");
  });

  it("plans the same for the same prompt", () => {
    fc.assert(
      fc.property(request, (asked) => {
        const prompt: LanguageModelV4Prompt = [{ role: "user", content: [{ type: "text", text: asked }] }];
        expect(planNext(readResults(prompt), tools)).toEqual(planNext(readResults(prompt), tools));
      }),
    );
  });

  it("gives a person's refusal no second way", () => {
    const { steps, answer } = play("run `ls`", [{ type: "execution-denied", reason: "I do not want this" }]);
    expect(steps).toBe(1);
    expect(answer).toContain("I do not want this");
  });

  it("keeps the last steps for the report", () => {
    const many = Array.from({ length: 9 }, (_value, index) => `run \`cmd ${index}\``).join(". ");
    const slow: Output = { type: "error-text", value: "the command timed out" };
    const written: Output = { type: "json", value: { success: true, error: "", path: "r.md" } };
    const { steps, answer } = play(`${many}. write a report to r.md`, (toolName) =>
      toolName === "bash" ? slow : written,
    );
    expect(steps).toBeLessThanOrEqual(maximumSteps);
    expect(answer).toContain("the bound of a turn is reached");
    expect(answer).toContain("Wrote r.md");
  });

  it("says how many wishes it leaves out", () => {
    const many = Array.from({ length: 12 }, (_value, index) => `read f${index}.ts`).join(". ");
    expect(play(many, [{ type: "text", value: "x" }]).answer).toContain(
      "The request has 12 wishes; I work on the first 10.",
    );
  });
});
