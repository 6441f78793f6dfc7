import type { Bench, Budget, Contender, Suite } from "../src/bench.ts";

/** What a case is called and what its tool answers. */
interface Case {
  readonly name: "add" | "order";
  readonly title: string;
  readonly expected: number;
}

const CASES: readonly Case[] = [
  { name: "add", title: "one call of a tool with two numbers", expected: 42 },
  { name: "order", title: "one call of a tool with twelve fields, some nested", expected: 142 },
];

const PARSE_AND_EXECUTE = "AI SDK: parse and execute, text";
const EXECUTE_TEXT = "ours: executor.execute, text";
const EXECUTE_OBJECT = "ours: executor.execute, object";
const ALL_ON = "ours: executor.execute, object, six extensions";
const LANGCHAIN = "LangChain: tool.invoke, object";

/** Contenders by their scripts; what is given as text is parsed within the time. */
const SCRIPTS: readonly (readonly [name: string, script: string])[] = [
  [EXECUTE_TEXT, "ours-execute-text"],
  [EXECUTE_OBJECT, "ours-execute-object"],
  [ALL_ON, "ours-all-on"],
  ["ours: a conversation's executeTool, text", "ours-conversation"],
  ["ours: runTool, object", "ours-run-tool"],
  [PARSE_AND_EXECUTE, "ai-sdk-parse-execute"],
  ["AI SDK: one more call in generateText", "ai-sdk-generate-text"],
  ["OpenAI Agents: tool.invoke, text", "openai-agents"],
  [LANGCHAIN, "langchain"],
  ["Mastra: tool.execute, object", "mastra"],
  ["MCP in memory: client.callTool, object", "mcp"],
  ["no framework: JSON.parse, zod, the work", "parse-and-check"],
];

/** Contenders whose tools are in another process, which runs already. */
const ISOLATED = "ours: executor.execute, isolated";
const ACROSS: readonly (readonly [name: string, script: string])[] = [
  [ISOLATED, "ours-isolated"],
  ["MCP over stdio: client.callTool", "mcp-stdio"],
];

/** What a call may cost at most, as a share of parsing and executing alone. */
const MOST_BARE = 0.5;

/** What a call with six extensions may cost at most, as a share of LangChain's bare call. */
const MOST_GUARDED = 1;

const BUDGETS: readonly Budget[] = [
  ...[EXECUTE_TEXT, EXECUTE_OBJECT].map((contender) => ({
    claim: `${contender} costs at most ${MOST_BARE} of ${PARSE_AND_EXECUTE}`,
    ratio: (p10: (contender: string) => number) => p10(contender) / p10(PARSE_AND_EXECUTE),
    atMost: MOST_BARE,
  })),
  {
    claim: `${ALL_ON} costs at most ${MOST_GUARDED} of ${LANGCHAIN}`,
    ratio: (p10: (contender: string) => number) => p10(ALL_ON) / p10(LANGCHAIN),
    atMost: MOST_GUARDED,
  },
];

/** Bytes that the heap may differ by after many calls; far less than a byte for each. */
const MAX_GROWTH = 1024 * 1024;

/** What one call costs, by the size of its schema, and that calls leave nothing behind. */
export const suite: Suite = {
  summary: "one tool call: validated, decided, executed, told",
  async *create({ quick }) {
    for (const tool of CASES) yield compareCalls(tool, quick);
    for (const tool of CASES) yield compareAcross(tool, quick);
    for (const tool of CASES) yield measureMemory(tool, quick);
  },
};

function compareCalls(tool: Case, quick: boolean): Bench {
  const { name, title, expected } = tool;
  return {
    title,
    measure: "reported",
    base: PARSE_AND_EXECUTE,
    rounds: quick ? 1 : 7,
    contenders: SCRIPTS.map(([contender, script]) => ({
      name: contender,
      args: [`calls/contenders/${script}.mjs`, name, quick ? "10" : "200"],
      verify: (output) => checkAnswer(output, expected),
    })),
    budgets: BUDGETS,
  };
}

function compareAcross({ name, title, expected }: Case, quick: boolean): Bench {
  return {
    title: `${title}, in another process`,
    measure: "reported",
    base: ISOLATED,
    rounds: quick ? 1 : 7,
    contenders: ACROSS.map(([contender, script]) => ({
      name: contender,
      args: [`calls/contenders/${script}.mjs`, name, quick ? "10" : "200"],
      verify: (output) => checkAnswer(output, expected),
    })),
  };
}

function measureMemory({ name, title, expected }: Case, quick: boolean): Bench {
  const calls = quick ? "20000" : "100000";
  const contenders: readonly Contender[] = [
    { name: "ours: a conversation's executeTool", extensions: "none" },
    { name: "ours: the same with six extensions", extensions: "all" },
  ].map((contender) => ({
    name: contender.name,
    args: ["--expose-gc", "calls/contenders/memory.mjs", name, calls, contender.extensions],
    verify: (output) => checkAnswer(output, expected) ?? checkGrowth(output),
  }));
  return {
    title: `${title}, 100,000 times in a row with the heap measured before and after`,
    measure: "reported",
    base: "ours: a conversation's executeTool",
    rounds: quick ? 1 : 3,
    contenders,
  };
}

function checkAnswer(output: string, expected: number): string | undefined {
  const { answer } = readLine(output) as { readonly answer?: unknown };
  return answer === expected ? undefined : `answered ${JSON.stringify(answer)}`;
}

function checkGrowth(output: string): string | undefined {
  const { grownBytes } = readLine(output) as { readonly grownBytes?: unknown };
  return typeof grownBytes === "number" && grownBytes < MAX_GROWTH
    ? undefined
    : `the heap grew by ${String(grownBytes)} bytes`;
}

function readLine(output: string): unknown {
  return JSON.parse(output.trimEnd().split("\n").at(-1) ?? "");
}
