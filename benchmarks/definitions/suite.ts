import type { Bench, Budget, Suite } from "../src/bench.ts";

/** Formats of ours by how many tools a request of theirs takes. */
const FORMATS: readonly (readonly [format: string, maxTools: number])[] = [
  ["openai", 128],
  ["openrouter", 128],
  ["mcp", Number.POSITIVE_INFINITY],
];

const PEERS: readonly (readonly [name: string, script: string])[] = [
  ["AI SDK", "ai-sdk"],
  ["OpenAI Agents", "openai-agents"],
  ["LangChain", "langchain"],
  ["MCP in memory", "mcp"],
];

/** Milliseconds that the definitions of 10,000 tools may take once they have been given. */
const AGAIN_MS = 1;

const OURS = "ours: mcp";
const BASE = "AI SDK";

/** Whether definitions are asked for the first time, the tools being made, or once more. */
type Mode = "first" | "again";

/** What it costs to tell a model of all tools. */
export const suite: Suite = {
  summary: "the definitions of all tools, as a request carries them",
  async *create({ quick }) {
    for (const count of quick ? [10, 100] : [10, 100, 1000, 10_000]) {
      yield compare(count, "first", quick);
      yield compare(count, "again", quick);
    }
  },
};

function compare(count: number, mode: Mode, quick: boolean): Bench {
  const ours = FORMATS.filter(([, maxTools]) => count <= maxTools).map(([format]) =>
    toContender("ours", count, [mode, format]),
  );
  const peers = PEERS.map(([name, script]) => ({ ...toContender(script, count, [mode, ""]), name }));
  return {
    title: `definitions of ${count.toLocaleString("en")} tools, ${mode === "first" ? "making the tools included" : "given again"}`,
    measure: "reported",
    base: BASE,
    rounds: roundsOf(count, mode, quick),
    contenders: [...ours, ...peers],
    budgets: mode === "again" && count === 10_000 ? [AGAIN] : [],
  };
}

const AGAIN: Budget = {
  claim: `${OURS}, 10,000 tools again, in milliseconds`,
  ratio: (p10) => p10(OURS),
  atMost: AGAIN_MS,
};

function toContender(
  script: string,
  count: number,
  [mode, format]: readonly [Mode, string],
): Bench["contenders"][number] {
  return {
    name: `${script}: ${format}`,
    args: [`definitions/contenders/${script}.mjs`, String(count), mode, "20", format],
    verify: (output) => checkAnswer(output, count),
  };
}

function roundsOf(count: number, mode: Mode, quick: boolean): number {
  if (quick) return 1;
  if (count >= 10_000) return 3;
  return mode === "first" ? 9 : 3;
}

function checkAnswer(output: string, count: number): string | undefined {
  const { answer } = JSON.parse(output.trimEnd().split("\n").at(-1) ?? "") as { readonly answer?: unknown };
  const expected = JSON.stringify({ count, complete: true });
  return JSON.stringify(answer) === expected ? undefined : JSON.stringify(answer);
}
