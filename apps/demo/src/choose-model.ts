import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createOpenRouter } from "@openrouter/ai-sdk-provider";
import type { LanguageModel } from "ai";
import { isWebUrl, type DemoOptions } from "./parse-arguments.ts";
import { createOfflinePlanner } from "./planner/offline-planner.ts";

/** A model and what to say of it. */
export interface ChosenModel {
  readonly model: LanguageModel;
  readonly description: string;
}

/** A set-up that cannot work, in words for the person who made it. */
export class SetupError extends Error {
  override readonly name = "SetupError";
}

/** Environment variables by name. */
export interface Environment {
  readonly [name: string]: string | undefined;
}

/** OpenRouter's own choice among its models. */
const OPENROUTER_DEFAULT = "openrouter/auto";

/** Milliseconds a server has to say which models it serves. */
const LIST_TIMEOUT_MS = 10_000;

const OFFLINE =
  "offline planner: fixed rules, not a language model. For a real one set OPENROUTER_API_KEY, or name a server with --base-url.";

/**
 * Takes the first model that is set up: a named server, OpenRouter, a server from the environment, the offline planner.
 * @throws SetupError when what was asked for cannot be had.
 */
export async function chooseModel(options: DemoOptions, env: Environment, signal: AbortSignal): Promise<ChosenModel> {
  const openRouterKey = valueOf(env, "OPENROUTER_API_KEY");
  if (options.baseUrl !== undefined) return await chooseServer(options.baseUrl, { options, env, signal });
  if (openRouterKey !== undefined) {
    const name = options.model ?? OPENROUTER_DEFAULT;
    return { model: createOpenRouter({ apiKey: openRouterKey })(name), description: `${name} at OpenRouter` };
  }
  const serverUrl = valueOf(env, "OPENAI_BASE_URL");
  if (serverUrl !== undefined) return await chooseServer(serverUrl, { options, env, signal });
  if (options.model === undefined) return { model: createOfflinePlanner(), description: OFFLINE };
  throw new SetupError(`--model ${options.model} needs OPENROUTER_API_KEY, or a server named by --base-url.`);
}

interface ServerChoice {
  readonly options: DemoOptions;
  readonly env: Environment;
  readonly signal: AbortSignal;
}

async function chooseServer(baseURL: string, { options, env, signal }: ServerChoice): Promise<ChosenModel> {
  if (!isWebUrl(baseURL))
    throw new SetupError(`OPENAI_BASE_URL must be an http or https URL; it is ${JSON.stringify(baseURL)}.`);
  const apiKey = valueOf(env, "OPENAI_API_KEY");
  const name = options.model ?? (await firstModel(baseURL, apiKey, signal));
  const provider = createOpenAICompatible({
    name: "server",
    baseURL,
    includeUsage: true,
    ...(apiKey !== undefined && { apiKey }),
  });
  return { model: provider(name), description: `${name} at ${withoutCredentials(baseURL)}` };
}

/** Servers on one's own machine often serve a single model; it needs no name then. */
async function firstModel(baseURL: string, apiKey: string | undefined, signal: AbortSignal): Promise<string> {
  const shown = withoutCredentials(baseURL);
  const url = `${baseURL.replace(/\/+$/u, "")}/models`;
  let listed: unknown;
  try {
    const response = await fetch(url, {
      headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
      signal: AbortSignal.any([signal, AbortSignal.timeout(LIST_TIMEOUT_MS)]),
    });
    if (!response.ok) throw new SetupError(`it answered ${response.status}`);
    listed = await response.json();
  } catch (error) {
    signal.throwIfAborted();
    throw new SetupError(`${shown} does not say which models it serves (${reasonOf(error)}). Name one with --model.`, {
      cause: error,
    });
  }
  const data = typeof listed === "object" && listed !== null && "data" in listed ? listed.data : undefined;
  const first: unknown = Array.isArray(data) ? data[0] : undefined;
  if (typeof first === "object" && first !== null && "id" in first && typeof first.id === "string") return first.id;
  throw new SetupError(`${shown} serves no model. Name one with --model.`);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

function withoutCredentials(text: string): string {
  const url = new URL(text);
  url.username = "";
  url.password = "";
  url.search = "";
  return url.href;
}

function valueOf(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === "" ? undefined : value;
}
