/** Releases of the language that must take our types: the newest of the line before, and the current one. */
export const TYPESCRIPT = { "typescript-5": "npm:typescript@5.9.3", "typescript-7": "npm:typescript@7.0.2" } as const;

/** A class of tools, as somebody writes it who has our packages alone. */
export const WEATHER = `import { defineToolPackage, runTool, tool, toolsOf } from "@aiw/core";

export class Weather {
  readonly #station: string;

  constructor(station = "north") {
    this.#station = station;
  }

  @tool({
    description: "Gives the forecast for a city.",
    inputSchema: {
      type: "object",
      properties: { city: { type: "string", description: "Its name." }, days: { type: "integer", description: "How many." } },
      required: ["city", "days"],
      additionalProperties: false,
    },
    effects: "read",
  })
  async getForecast({ city, days }: { city: string; days: number }): Promise<{ lines: string[] }> {
    return { lines: Array.from({ length: days }, () => \`\${city}: clear, says \${this.#station}\`) };
  }
}

export default defineToolPackage({ tools: toolsOf(new Weather("south")) });

const [forecast] = toolsOf(new Weather("south"));
if (forecast !== undefined) {
  const good = await runTool(forecast, { city: "Bonn", days: 1 });
  const wrong = await runTool(forecast, { city: 5 });
  console.log(JSON.stringify({ node: process.version, name: forecast.spec.name, good: good.success ? good.value : good.error, wrong: wrong.success || wrong.code }));
}
`;

/** What the types must refuse: a tool that is not async, and an effect that does not exist. */
export const WRONG_WEATHER = `import { tool } from "@aiw/core";

export class Wrong {
  @tool({ description: "Is not async.", effects: "pure" })
  now(): string {
    return "now";
  }

  @tool({ description: "Has no such effects.", effects: "harmless" })
  async later(): Promise<string> {
    return "later";
  }
}
`;

/** Strict in every way, the types of packages among what is checked. */
export const TSCONFIG = JSON.stringify({
  compilerOptions: {
    target: "es2022",
    lib: ["es2023", "esnext.disposable"],
    module: "nodenext",
    types: ["node"],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    rootDir: "src",
    outDir: "out",
  },
  files: ["src/weather.ts"],
});

/** Somebody who names no `lib` and reads nothing but our types: they bring what they need beyond the language's release. */
export const PLAIN_CONSUMER = {
  "src/plain.ts": 'export * as core from "@aiw/core"; export * as testkit from "@aiw/testkit";\n',
  "src/plain-node.ts": 'export * as core from "@aiw/core/node"; export * as executor from "@aiw/executor/node";\n',
  "tsconfig.plain.json": plainConfig("src/plain.ts", []),
  "tsconfig.plain-node.json": plainConfig("src/plain-node.ts", ["node"]),
} as const;

function plainConfig(file: string, types: readonly string[]): string {
  const compilerOptions = { target: "es2022", module: "nodenext", strict: true, noEmit: true, types };
  return JSON.stringify({ compilerOptions, files: [file] });
}

/** A host that calls again and again while tools are exchanged below it; a file named \`stop\` ends it. */
export const WATCHING_HOST = `import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { openTools } from "@aiw/executor/node";

await using tools = await openTools();
const stopWatching = tools.registry.watch();
let last;
for (let turn = 0; turn < 1200 && !existsSync("stop"); turn += 1) {
  const { value, error } = await tools.executeTool("count_words", { text: "a b" });
  const now = value === undefined ? error : \`\${value.words} words\`;
  if (now !== last) console.log(\`process \${process.pid}: \${now}\`);
  last = now;
  await delay(100);
}
await stopWatching();
`;
