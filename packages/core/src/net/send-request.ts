import type { ClientRequest, IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import { ToolError } from "../errors/tool-error.ts";
import { errorCode, openConnection, type ConnectionOptions } from "./open-connection.ts";

/** Bytes of response headers (SEC-NET-8). */
export const MAX_HEADER_BYTES: number = 1024 * 1024;

/** One request; its address is the target's. */
export interface HopRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | undefined;
}

/** One answer of a server; its body has not been read. */
export interface HopResponse extends AsyncDisposable {
  readonly statusCode: number;
  /** By lower-case name; repeated headers are joined as HTTP says. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Readable;
}

/**
 * Sends one request over its own guarded connection, through no proxy (SEC-NET-7); disposing closes it.
 * @throws ToolError as opening a connection does, `connection_failed` or `response_too_large`.
 */
export async function sendRequest(request: HopRequest, options: ConnectionOptions): Promise<HopResponse> {
  const socket = await openConnection(options);
  try {
    const response = await exchange(socket, request, options);
    // Errors after the last reader has gone must not become uncaught.
    response.on("error", () => undefined);
    return {
      statusCode: response.statusCode ?? 0,
      headers: toHeaderMap(response.headersDistinct),
      body: response,
      [Symbol.asyncDispose]: () => {
        response.destroy();
        socket.destroy();
        return Promise.resolve();
      },
    };
  } catch (error) {
    socket.destroy();
    throw toNetworkError(error, options);
  }
}

async function exchange(socket: Socket, request: HopRequest, options: ConnectionOptions): Promise<IncomingMessage> {
  const { request: startRequest } = await import("node:http");
  const { url } = options.target;
  const { signal } = options.deadline;
  const { method, headers, body } = request;
  const sent = startRequest({
    // The one connection that was checked, whatever agents and proxies the process has; it is used once.
    createConnection: () => socket,
    method,
    path: `${url.pathname}${url.search}`,
    setHost: false,
    headers: { host: url.host, connection: "close", ...headers, ...toLength(request) },
    maxHeaderSize: MAX_HEADER_BYTES,
    insecureHTTPParser: false,
  });
  return await receiveHead(sent, { signal, body });
}

function receiveHead(
  sent: ClientRequest,
  { signal, body }: { readonly signal: AbortSignal; readonly body: Uint8Array | undefined },
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const abort = (): void => fail(signal.reason);
    const settle = (): void => signal.removeEventListener("abort", abort);
    const fail = (reason: unknown): void => {
      settle();
      sent.destroy();
      reject(reason instanceof Error ? reason : new DOMException("Aborted", "AbortError"));
    };
    // Stays: what comes after the head must not become an uncaught error.
    sent.on("error", fail);
    sent.once("response", (response) => {
      settle();
      resolve(response);
    });
    sent.once("upgrade", () => fail(new ToolError("connection_failed", "The server changed the protocol, unasked.")));
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    sent.end(body);
  });
}

function toLength({ method, body }: HopRequest): Readonly<Record<string, string>> {
  if (body !== undefined) return { "content-length": String(body.length) };
  // Servers wait for a body of these methods unless told that there is none.
  return ["POST", "PUT", "PATCH"].includes(method) ? { "content-length": "0" } : {};
}

/** Turns what the HTTP client throws into a failure a model can act on. */
export function toNetworkError(error: unknown, { target, deadline }: ConnectionOptions): unknown {
  if (ToolError.is(error)) return error;
  if (deadline.signal.aborted) return deadline.signal.reason;
  const code = errorCode(error);
  if (code === "HPE_HEADER_OVERFLOW") {
    return new ToolError(
      "response_too_large",
      `${target.hostname} sent more than ${MAX_HEADER_BYTES} bytes of headers.`,
      {
        cause: error,
      },
    );
  }
  const what = code.startsWith("HPE_") ? "did not answer in HTTP" : "broke off the exchange";
  return new ToolError("connection_failed", `${target.hostname} ${what} (${code}).`, { cause: error });
}

function toHeaderMap(headers: NodeJS.Dict<string[]>): ReadonlyMap<string, string> {
  const map = new Map<string, string>();
  for (const [name, values = []] of Object.entries(headers)) map.set(name.toLowerCase(), values.join(", "));
  return map;
}
