import { ToolError, type Json } from "@aiw/core";
import { parseRetryAfter, readBody, tooLarge, toNetworkError, type HopResponse, type WebTarget } from "@aiw/core/node";
import type { RequestTemplate } from "./compile-request.ts";
import type { ExchangeScope } from "./exchange.ts";

/** How an answer is read. */
export interface ReadAnswerOptions extends ExchangeScope {
  readonly response: RequestTemplate["response"];
  readonly maxBytes: number;
  /** Hides the secrets of the request; absent where it has none. */
  readonly mask?: ((text: string) => string) | undefined;
}

const RETRYABLE: ReadonlySet<number> = new Set([408, 425, 429, 502, 503, 504]);
const JSON_TYPE = /^(?:application|text)\/(?:[\w.+-]+\+)?json$/;
const TEXT_TYPE = /^(?:text\/.*|application\/(?:[\w.+-]+\+xml|xml|javascript|yaml|x-yaml|x-ndjson|jsonl))$/;

/** Bytes of a failure's body that are read, and characters of it that are told. */
const FAILURE_BYTES = 64 * 1024;
const FAILURE_CHARACTERS = 4000;

/**
 * Gives the JSON or the text of an answer; nothing of an empty one is `null`.
 * @throws ToolError `http_error` for other statuses than 2xx, `response_too_large`, `unsupported_content`, `invalid_output`
 */
export async function readAnswer(answer: HopResponse, target: WebTarget, options: ReadAnswerOptions): Promise<Json> {
  options.deadline.enter("body");
  const { statusCode, headers } = answer;
  if (statusCode < 200 || statusCode > 299) throw await toFailure(answer, target, options);
  if (Number(headers.get("content-length") ?? 0) > options.maxBytes) throw tooLarge(options.maxBytes);
  const bytes = await read(answer, target, options);
  if (bytes.length === 0) return options.response === "text" ? "" : null;
  return toValue(bytes, { answer, target, options });
}

function toValue(
  bytes: Uint8Array,
  {
    answer: { headers },
    target,
    options,
  }: { readonly answer: HopResponse; readonly target: WebTarget; readonly options: ReadAnswerOptions },
): Json {
  const { response, mask } = options;
  const [type = "", charset] = readType(headers.get("content-type"));
  if (response === "json" || (response === "auto" && JSON_TYPE.test(type))) return parseJson(bytes, target, options);
  if (response === "auto" && type !== "" && !TEXT_TYPE.test(type))
    throw new ToolError("unsupported_content", `${target.hostname} answered with ${type}, which is no text.`);
  const text = decode(bytes, charset);
  return mask?.(text) ?? text;
}

async function read(
  { body, headers }: HopResponse,
  target: WebTarget,
  options: Pick<ReadAnswerOptions, keyof ExchangeScope | "maxBytes"> & { readonly keepStart?: boolean },
): Promise<Uint8Array> {
  const { maxBytes, keepStart = false, deadline } = options;
  try {
    const encoding = headers.get("content-encoding");
    return await readBody(body, { encoding, maxBytes, keepStart, signal: deadline.signal });
  } catch (error) {
    throw toNetworkError(error, { target, ...options });
  }
}

async function toFailure(answer: HopResponse, target: WebTarget, options: ReadAnswerOptions): Promise<ToolError> {
  const { statusCode, headers } = answer;
  const retryAfterMs = parseRetryAfter(headers.get("retry-after"), options.ports.now());
  const body = await readFailureBody(answer, target, options);
  return new ToolError("http_error", `${target.hostname} answered with status ${statusCode}.`, {
    retryable: RETRYABLE.has(statusCode),
    details: {
      status_code: statusCode,
      ...(body !== undefined && { body }),
      ...(retryAfterMs !== undefined && { retry_after_ms: retryAfterMs }),
    },
    suggestion: suggest(statusCode, retryAfterMs),
  });
}

/** What a server says of a failure helps, and is not needed. */
async function readFailureBody(
  answer: HopResponse,
  target: WebTarget,
  options: ReadAnswerOptions,
): Promise<Json | undefined> {
  const [type = "", charset] = readType(answer.headers.get("content-type"));
  if (!JSON_TYPE.test(type) && !TEXT_TYPE.test(type)) return undefined;
  try {
    const bytes = await read(answer, target, { ...options, maxBytes: FAILURE_BYTES, keepStart: true });
    const text = decode(bytes, charset);
    if (text.trim() === "") return undefined;
    const isWhole = text.length <= FAILURE_CHARACTERS;
    if (isWhole && JSON_TYPE.test(type)) return parseMasked(text, options.mask);
    const shown = options.mask?.(text) ?? text;
    return isWhole ? shown : `${shown.slice(0, FAILURE_CHARACTERS)}…`;
  } catch {
    options.deadline.signal.throwIfAborted();
    return undefined;
  }
}

function suggest(statusCode: number, retryAfterMs: number | undefined): string {
  if (statusCode === 401 || statusCode === 403 || statusCode === 407)
    return "Ask the operator whether the tool's credentials are in order.";
  if (RETRYABLE.has(statusCode)) {
    return retryAfterMs === undefined ? "Try again later." : `Try again in ${Math.ceil(retryAfterMs / 1000)} s.`;
  }
  return statusCode >= 500
    ? "The service is failing; go on without it."
    : "Correct the arguments; what the service says is in body.";
}

function readType(header = ""): readonly [type: string | undefined, charset: string | undefined] {
  const type = header.split(";", 1)[0]?.trim().toLowerCase();
  return [type, /;\s*charset\s*=\s*"?(?<name>[\w.:-]+)/i.exec(header)?.groups?.["name"]];
}

function parseJson(bytes: Uint8Array, { hostname }: WebTarget, { mask }: ReadAnswerOptions): Json {
  try {
    return parseMasked(new TextDecoder("utf-8", { fatal: true }).decode(bytes), mask);
  } catch (cause) {
    throw new ToolError("invalid_output", `${hostname} did not answer in JSON.`, { cause });
  }
}

/** Texts are masked once they are read: a server may escape any letter of a secret. */
function parseMasked(text: string, mask: ReadAnswerOptions["mask"]): Json {
  if (mask === undefined) return JSON.parse(text) as Json;
  return JSON.parse(text, (_name, member: unknown) => (typeof member === "string" ? mask(member) : member)) as Json;
}

function decode(bytes: Uint8Array, charset = "utf-8"): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    // Nobody knows the encoding that is named.
    return new TextDecoder().decode(bytes);
  }
}
