import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { AiwError } from "@aiw/core";
import type { PrometheusOptions } from "../telemetry-options.ts";

/** The port Prometheus keeps for exporters of OpenTelemetry. */
const DEFAULT_PORT = 9464;

const PATH = "/metrics";

const LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "::1", "localhost"]);

const HEADERS = {
  "content-type": "text/plain; version=0.0.4; charset=utf-8",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
} as const;

/** Where metrics are read until it is closed. */
export interface MetricsServer {
  readonly host: string;
  readonly port: number;
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Answers GET /metrics and nothing else; nothing of it keeps a process alive (SEC-HTTP-1, SEC-HTTP-2).
 * @throws AiwError `config_invalid` when the address cannot be taken.
 */
export async function openMetricsServer(
  { host = "127.0.0.1", port = DEFAULT_PORT }: PrometheusOptions,
  render: () => Promise<string>,
): Promise<MetricsServer> {
  const names = new Set<string>();
  const server = createServer((request, response) => {
    const refusal = refuse(request, LOOPBACK.has(host) ? names : undefined);
    if (refusal !== undefined) return answer(response, refusal, "");
    render().then(
      (text) => answer(response, 200, text),
      () => answer(response, 500, ""),
    );
  });
  server.maxConnections = 32;
  const taken = await listen(server, { host, port });
  server.unref();
  const authority = `${host.includes(":") ? `[${host}]` : host}:${taken}`;
  names.add(authority).add(`localhost:${taken}`);
  return { host, port: taken, url: `http://${authority}${PATH}`, close: () => close(server) };
}

/**
 * The status of a request that gets no metrics. A page whose name was made to lead to this machine says that name; who
 * listens for other machines cannot know by which names they come.
 */
function refuse(
  { method, url = "", headers }: IncomingMessage,
  hosts: ReadonlySet<string> | undefined,
): number | undefined {
  if (hosts !== undefined && !hosts.has(headers.host ?? "")) return 403;
  if (url !== PATH && !url.startsWith(`${PATH}?`)) return 404;
  return method === "GET" ? undefined : 405;
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { ...HEADERS, ...(status === 405 && { allow: "GET" }) });
  response.end(text);
}

function listen(server: Server, { host, port }: Required<PrometheusOptions>): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) =>
      reject(
        new AiwError(
          "config_invalid",
          `Metrics cannot be offered at ${host}:${port}: ${cause.code ?? cause.message}.`,
          {
            fix: "Name another `prometheus.port`, or 0 for a free one.",
            cause,
          },
        ),
      ),
    );
    server.listen({ host, port, exclusive: true }, () => resolve((server.address() as AddressInfo).port));
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
