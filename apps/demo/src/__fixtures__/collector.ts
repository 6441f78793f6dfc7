import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

interface WireAttribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly boolValue?: boolean; readonly intValue?: number | string };
}

/** A span as it travels in OTLP's JSON, as far as tests look. */
interface WireSpan {
  readonly name: string;
  readonly attributes: readonly WireAttribute[];
}

interface WireBody {
  readonly resourceSpans?: readonly { readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[] }[];
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly { readonly name: string }[] }[];
  }[];
}

/** What an OpenTelemetry collector is told, over OTLP in JSON on the loopback interface. */
export interface Collector extends AsyncDisposable {
  readonly endpoint: string;
  /** Each span: its name, and its attributes as they are named. */
  spans(): { readonly name: string; readonly attributes: Record<string, unknown> }[];
  /** Names of metrics, each once. */
  metrics(): string[];
}

export async function startCollector(): Promise<Collector> {
  const bodies: WireBody[] = [];
  const server = createServer(async (request, response) => {
    bodies.push((await json(request)) as WireBody);
    response.writeHead(200, { "content-type": "application/json" });
    response.end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () =>
      bodies
        .flatMap(({ resourceSpans = [] }) => resourceSpans.flatMap(({ scopeSpans }) => scopeSpans))
        .flatMap(({ spans }) => spans)
        .map(({ name, attributes }) => ({
          name,
          attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
        })),
    metrics: () => [
      ...new Set(
        bodies
          .flatMap(({ resourceMetrics = [] }) => resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics))
          .flatMap(({ metrics }) => metrics.map(({ name }) => name)),
      ),
    ],
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
