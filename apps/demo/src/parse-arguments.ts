import { parseArgs } from "node:util";

/** What a person asked of the demo; absent values have defaults elsewhere. */
export interface DemoOptions {
  readonly prompt?: string;
  readonly cwd?: string;
  readonly model?: string;
  readonly baseUrl?: string;
}

/** What a command line means. */
export type CommandLine =
  | { readonly kind: "run"; readonly options: DemoOptions }
  | { readonly kind: "help" }
  | { readonly kind: "wrong"; readonly problem: string };

/** Printed for `--help`, and under the problem of a wrong command line. */
export const USAGE: string = `Usage: pnpm demo [options]

An agent in the terminal. It uses the tool packages that apps/demo/package.json depends on.

  --prompt TEXT    do this instead of the default task
  --cwd DIR        look at this folder instead of this repository
  --model NAME     the model to use
  --base-url URL   an OpenAI-compatible server, such as http://127.0.0.1:11434/v1
  --help           show this

Models, the first that is set up:
  --base-url                   that server; OPENAI_API_KEY is sent if set
  OPENROUTER_API_KEY           OpenRouter; --model names any of its models
  OPENAI_BASE_URL              an OpenAI-compatible server, as with --base-url
  nothing                      the offline planner: fixed rules, no language model, no network

Spans and metrics go to OTEL_EXPORTER_OTLP_ENDPOINT, where it is set; every call is recorded in the scratch folder.
Unsafe calls ask when there is a terminal to ask in; without one they are refused.
`;

/** Reads the command line; whatever is wrong with it is said, never guessed. */
export function parseArguments(argv: readonly string[]): CommandLine {
  // Package managers pass the `--` on that separates their own flags from ours.
  const args = argv[0] === "--" ? argv.slice(1) : [...argv];
  try {
    const { values } = parseArgs({
      args,
      options: {
        prompt: { type: "string" },
        cwd: { type: "string" },
        model: { type: "string" },
        "base-url": { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    });
    if (values.help === true) return { kind: "help" };
    const { prompt, cwd, model, "base-url": baseUrl } = values;
    const given = { prompt, cwd, model, "base-url": baseUrl };
    const empty = Object.entries(given).find(([, value]) => value?.trim() === "");
    if (empty !== undefined) return { kind: "wrong", problem: `--${empty[0]} needs a value.` };
    if (baseUrl !== undefined && !isWebUrl(baseUrl)) {
      return {
        kind: "wrong",
        problem: `--base-url must be an http or https URL; received ${JSON.stringify(baseUrl)}.`,
      };
    }
    return {
      kind: "run",
      options: {
        ...(prompt !== undefined && { prompt }),
        ...(cwd !== undefined && { cwd }),
        ...(model !== undefined && { model }),
        ...(baseUrl !== undefined && { baseUrl }),
      },
    };
  } catch (error) {
    return { kind: "wrong", problem: error instanceof Error ? error.message : String(error) };
  }
}

/** True for what can be the address of a server. */
export function isWebUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.protocol === "http:" || url.protocol === "https:");
}
