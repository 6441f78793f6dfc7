import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { onTestFinished } from "vitest";

/** One request as a server saw it. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** A server on a free loopback port that ends with its test. */
export interface TestServer {
  /** `127.0.0.1:port`. */
  readonly host: string;
  readonly seen: SeenRequest[];
}

/** Starts a server; what nobody answers is answered with `{}`. */
export async function serveHttp(
  answer: (request: SeenRequest, response: ServerResponse) => void = (_request, response) => {
    response.setHeader("content-type", "application/json").end("{}");
  },
): Promise<TestServer> {
  const seen: SeenRequest[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      seen.push({ method, url, headers, body });
      answer({ method, url, headers, body }, response);
    });
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  });
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}
