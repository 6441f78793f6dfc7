// The whole public path: what one more tool call of a step costs in generateText, by steps with 101 calls and with one.
import assert from "node:assert/strict";
import { generateText, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { printTimes, timeOperation } from "../../src/time-operation.ts";
import { CASES } from "../cases.mjs";

const CALLS = 100;
const chosen = CASES[process.argv[2]];
const samples = Number(process.argv[3]);
const { name, description, schema, execute, args, wrong, expected } = chosen;
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const tools = { [name]: tool({ description, inputSchema: schema, execute }) };

const few = step(1, args);
const many = step(1 + CALLS, args);
assert.deepEqual(await outputsOf(few), [expected]);
assert.deepEqual(
  await outputsOf(many),
  Array.from({ length: 1 + CALLS }, () => expected),
);
assert.deepEqual(await outputsOf(step(1, wrong)), []);
const [base, whole] = [
  await timeOperation(() => run(few), { samples, warmUpMs: 500 }),
  await timeOperation(() => run(many), { samples, warmUpMs: 500 }),
];
const least = Math.min(...base);
printTimes(
  whole.map((milliseconds) => (milliseconds - least) / CALLS),
  expected,
);

function step(count, input) {
  const content = Array.from({ length: count }, (_, index) => ({
    type: "tool-call",
    toolCallId: `call-${index}`,
    toolName: name,
    input: JSON.stringify(input),
  }));
  const finishReason = { unified: "tool-calls", raw: "tool_calls" };
  return new MockLanguageModelV4({ doGenerate: async () => ({ content, finishReason, usage, warnings: [] }) });
}

function run(model) {
  return generateText({ model, tools, prompt: "Go." });
}

async function outputsOf(model) {
  const { toolResults } = await run(model);
  return toolResults.map(({ output }) => output);
}
