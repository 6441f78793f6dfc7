import type { Readable } from "node:stream";
import { ToolError } from "@aiw/core";
import { Agent } from "undici";
import { webError } from "../errors.ts";
import { errorCode, guardedConnect, type GuardedConnectOptions } from "./guarded-connect.ts";

/** Bytes of response headers (SEC-NET-8). */
export const MAX_HEADER_BYTES = 1024 * 1024;

/** One answer of a server; its body has not been read. */
export interface HopResponse extends AsyncDisposable {
  readonly statusCode: number;
  /** By lower-case name; repeated headers are joined as HTTP says. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Readable;
}

/**
 * Sends one GET over its own guarded connection, through no proxy (SEC-NET-7); disposing closes it.
 * @throws ToolError of the network catalogue.
 */
export async function sendRequest(
  headers: Readonly<Record<string, string>>,
  options: GuardedConnectOptions,
): Promise<HopResponse> {
  const { target, deadline } = options;
  const agent = new Agent({
    connect: guardedConnect(options),
    // The deadline is the only clock: these would only give the same failure other names.
    connectTimeout: 0,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: MAX_HEADER_BYTES,
    // No connection is used twice, so every request passes the address check.
    pipelining: 0,
    allowH2: false,
  });
  try {
    const response = await agent.request({
      origin: target.url.origin,
      path: `${target.url.pathname}${target.url.search}`,
      method: "GET",
      headers,
      signal: deadline.signal,
      onInfo: () => undefined,
    });
    // Errors after the last reader has gone must not become uncaught.
    response.body.on("error", () => undefined);
    return {
      statusCode: response.statusCode,
      headers: toHeaderMap(response.headers),
      body: response.body,
      [Symbol.asyncDispose]: async () => {
        response.body.destroy();
        await agent.destroy();
      },
    };
  } catch (error) {
    await agent.destroy();
    throw toNetworkError(error, options);
  }
}

/** Turns what the HTTP client throws into a failure a model can act on. */
export function toNetworkError(error: unknown, { target, deadline }: GuardedConnectOptions): unknown {
  if (ToolError.is(error)) return error;
  if (deadline.signal.aborted) return deadline.signal.reason;
  const code = errorCode(error);
  if (code === "UND_ERR_HEADERS_OVERFLOW") {
    return webError("response_too_large", `${target.hostname} sent more than ${MAX_HEADER_BYTES} bytes of headers.`, {
      cause: error,
    });
  }
  const what = code.startsWith("HPE_") ? "did not answer in HTTP" : "broke off the exchange";
  return webError("connection_failed", `${target.hostname} ${what} (${code}).`, { cause: error });
}

function toHeaderMap(headers: Readonly<Record<string, string | string[] | undefined>>): ReadonlyMap<string, string> {
  const map = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) map.set(name.toLowerCase(), typeof value === "string" ? value : value.join(", "));
  }
  return map;
}
