import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { toIntent } from "./parse-request.ts";
import { matchNamedTool, matchTool } from "./match-tool.ts";
import { toOfferedTools } from "./offered-tool.ts";
import { splitClauses } from "./split-clauses.ts";
import type { Clause } from "./split-clauses.ts";

function offer(name: string, description: string, [properties, required]: [Record<string, unknown>, string[]]) {
  const inputSchema = { type: "object" as const, properties: properties as never, required };
  return toOfferedTools({ tools: [{ type: "function", name, description, inputSchema }] });
}

const number = { type: "number" };
const text = { type: "string" };
const tools = [
  ...offer("get_weather", "Tells the weather of a city.", [
    {
      city: text,
      days: { type: "integer", minimum: 1, maximum: 14 },
      units: { enum: ["metric", "imperial"], type: "string" },
    },
    ["city"],
  ]),
  ...offer("multiply", "Multiplies two numbers.", [{ x: number, y: number }, ["x", "y"]]),
  ...offer("calculate", "Evaluates an arithmetic expression.", [{ expression: text }, ["expression"]]),
  ...offer("mean", "The mean of numbers.", [{ values: { type: "array", items: number } }, ["values"]]),
  ...offer("search_tickets", "Searches support tickets.", [{ query: text }, ["query"]]),
  ...offer("grep", "Searches file contents.", [{ pattern: text, path: text }, ["pattern"]]),
];

function clauseOf(sentence: string): Clause {
  return splitClauses(sentence)[0] ?? { text: "", masked: "", literals: [] };
}

function match(sentence: string) {
  const intent = toIntent(clauseOf(sentence));
  const result = intent.kind === "use_tool" ? matchTool(intent, tools) : undefined;
  return result?.kind === "complete" ? { [result.tool.name]: result.input } : result?.missing;
}

describe("matchTool", () => {
  it.each<[string, unknown]>([
    ["get the weather in Berlin", { get_weather: { city: "Berlin" } }],
    [
      'weather for "New York" with days 3 in imperial units',
      { get_weather: { city: "New York", days: 3, units: "imperial" } },
    ],
    ["multiply 6 by -7.5", { multiply: { x: 6, y: -7.5 } }],
    ["what is 6 times 7", { multiply: { x: 6, y: 7 } }],
    ["calculate (2 + 3) * 4", { calculate: { expression: "(2 + 3) * 4" } }],
    ["mean of 1, 2 and 6", { mean: { values: [1, 2, 6] } }],
    ["multiply 6", ["y (number)"]],
    ["dance on the table", undefined],
  ])("reads %j", (sentence, expected) => {
    expect(match(sentence)).toEqual(expected);
  });

  it("never fills a parameter against its schema or throws", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (sentence) => {
        const clause = clauseOf(`weather days ${sentence}`);
        const result = matchTool({ kind: "use_tool", clause }, tools);
        if (result?.kind === "complete" && result.tool.name === "get_weather") {
          const { days } = result.input;
          expect(days === undefined || (Number.isInteger(days) && Number(days) >= 1 && Number(days) <= 14)).toBe(true);
        }
      }),
    );
  });
});

describe("matchNamedTool", () => {
  it("prefers a tool named in full to the planner's own reading", () => {
    expect(matchNamedTool(clauseOf("search the tickets for login"), tools)?.name).toBe("search_tickets");
  });

  it("leaves known deeds to the planner's rules", () => {
    expect(matchNamedTool(clauseOf("search for login"), tools)).toBeUndefined();
  });
});
