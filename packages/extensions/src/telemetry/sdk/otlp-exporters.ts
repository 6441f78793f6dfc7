import type { PushMetricExporter } from "@opentelemetry/sdk-metrics";
import type { BatchSpanProcessor, SpanExporter, SpanProcessor } from "@opentelemetry/sdk-trace";
import type { Packages } from "../packages.ts";
import type { OtlpOptions } from "../telemetry-options.ts";
import type { OtlpClient } from "./otlp-client.ts";

/** Spans that wait for being sent; past it the newest are dropped. */
export const MAX_WAITING_SPANS = 2048;

/** Results of an export, as the SDK numbers them. */
const SUCCESS = 0;
const FAILED = 1;

/** Told of spans that never reached the collector. */
type OnDropped = (count: number) => void;

type Transformer = Awaited<ReturnType<Packages["transformer"]>>;

/** Puts the processor that batches spans behind one that counts what it would drop in silence. */
export function createSpanProcessor(
  createBatches: (exporter: SpanExporter) => BatchSpanProcessor,
  exporter: SpanExporter,
  onDropped: OnDropped,
): SpanProcessor {
  let waiting = 0;
  const batches = createBatches({
    export: (spans, done) => {
      waiting -= spans.length;
      exporter.export(spans, done);
    },
    shutdown: () => exporter.shutdown(),
  });
  return {
    onStart: (span, parent) => batches.onStart(span, parent),
    onEnd: (span) => {
      if ((span.spanContext().traceFlags & 1) === 0) return;
      if (waiting >= MAX_WAITING_SPANS) return onDropped(1);
      waiting += 1;
      batches.onEnd(span);
    },
    forceFlush: () => batches.forceFlush(),
    shutdown: () => batches.shutdown(),
  };
}

/** Sends batches of spans; what cannot be sent is counted and forgotten. */
export function createSpanExporter(
  client: OtlpClient,
  serializer: ReturnType<typeof toSerializers>["traces"],
  onDropped: OnDropped,
): SpanExporter {
  return {
    export: (spans, done) => {
      const body = serializer.serializeRequest(spans);
      void sendBody(client, "traces", body).then((sent) => {
        if (!sent) onDropped(spans.length);
        done({ code: sent ? SUCCESS : FAILED });
      });
    },
    shutdown: async () => undefined,
  };
}

/** Sends metrics; they are sums, so that the next ones make up for what was lost. */
export function createMetricExporter(
  client: OtlpClient,
  serializer: ReturnType<typeof toSerializers>["metrics"],
): PushMetricExporter {
  return {
    export: (metrics, done) => {
      void sendBody(client, "metrics", serializer.serializeRequest(metrics)).then((sent) =>
        done({ code: sent ? SUCCESS : FAILED }),
      );
    },
    forceFlush: async () => undefined,
    shutdown: async () => undefined,
  };
}

/** The writers of a protocol. */
export function toSerializers(
  transformer: Transformer,
  { protocol = "http/json" }: OtlpOptions,
): {
  readonly traces: Transformer["JsonTraceSerializer"];
  readonly metrics: Transformer["JsonMetricsSerializer"];
} {
  return protocol === "http/json"
    ? { traces: transformer.JsonTraceSerializer, metrics: transformer.JsonMetricsSerializer }
    : { traces: transformer.ProtobufTraceSerializer, metrics: transformer.ProtobufMetricsSerializer };
}

async function sendBody(
  client: OtlpClient,
  signal: "traces" | "metrics",
  body: Uint8Array | undefined,
): Promise<boolean> {
  return body === undefined ? false : client.send(signal, body);
}
