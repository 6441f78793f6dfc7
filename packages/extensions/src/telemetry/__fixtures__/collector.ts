import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** One request to the collector. */
export interface CollectedRequest {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

/** What a span looks like on the wire, as far as tests look. */
export interface WireSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly status?: { readonly code?: number; readonly message?: string };
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[];
  readonly events: readonly { readonly name: string }[];
}

interface WireTraces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: WireSpan["attributes"] };
    readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[];
  }[];
}

interface WireMetrics {
  readonly resourceMetrics: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly { readonly name: string; readonly unit: string }[] }[];
  }[];
}

/** A collector on loopback that keeps what it is sent and answers as it is told. */
export interface Collector extends AsyncDisposable {
  readonly endpoint: string;
  readonly requests: CollectedRequest[];
  /** Status of each answer; 200 when no more are left. */
  readonly answers: number[];
  /** Spans of JSON requests. */
  spans(): WireSpan[];
  serviceNames(): (string | undefined)[];
  metrics(): { readonly name: string; readonly unit: string }[];
}

/** `hang` never answers. */
export async function openCollector({ hang = false }: { readonly hang?: boolean } = {}): Promise<Collector> {
  const requests: CollectedRequest[] = [];
  const answers: number[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      requests.push({ path: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks) });
      if (hang) return;
      response.writeHead(answers.shift() ?? 200, { "content-type": "application/json", "retry-after": "0" });
      response.end("{}");
    });
    request.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const read = <Body>(path: string): Body[] =>
    requests.filter((one) => one.path === path).map(({ body }) => JSON.parse(body.toString("utf8")) as Body);
  const resources = (): WireTraces["resourceSpans"][number][] =>
    read<WireTraces>("/v1/traces").flatMap(({ resourceSpans }) => resourceSpans);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    requests,
    answers,
    spans: () => resources().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    serviceNames: () =>
      resources().map(({ resource }) => resource.attributes.find(({ key }) => key === "service.name")?.value.stringValue),
    metrics: () =>
      read<WireMetrics>("/v1/metrics").flatMap(({ resourceMetrics }) =>
        resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics)),
      ),
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
