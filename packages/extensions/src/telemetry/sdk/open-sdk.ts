import type { MeterProvider, TracerProvider } from "@opentelemetry/api";
import type { MetricReader } from "@opentelemetry/sdk-metrics";
import type { OpenTelemetryApi, Packages } from "../packages.ts";
import type { TelemetryOptions } from "../telemetry-options.ts";
import { openMetricsServer, type MetricsServer } from "./metrics-server.ts";
import { OtlpClient } from "./otlp-client.ts";
import {
  createMetricExporter,
  createSpanExporter,
  createSpanProcessor,
  MAX_WAITING_SPANS,
  toSerializers,
} from "./otlp-exporters.ts";
import { toPrometheusText } from "./prometheus-text.ts";
import { registerGlobal } from "./register-global.ts";

/** What telemetry set up for itself. */
export interface OwnSdk {
  readonly tracerProvider: TracerProvider | undefined;
  readonly meterProvider: MeterProvider | undefined;
  readonly prometheus: MetricsServer | undefined;
  /** Sends what is left, for a short while, and lets go of everything. */
  close(): Promise<void>;
}

/** What setting up needs. */
export interface SdkParts {
  readonly api: OpenTelemetryApi;
  readonly packages: Packages;
  onDropped(sink: string, count: number): void;
}

/** Milliseconds for sending what is left at the end; less than an executor gives its extensions. */
const FLUSH_MS = 1500;

/** Milliseconds a batch holds back the next one, and a process that ends without closing. */
const BATCH_MS = 5000;

/** Names the collector in the metric of what was dropped. */
const OTLP_SINK = "otlp";

/**
 * Sets up providers and exporters as asked, apart from the process's own unless `global` says otherwise.
 * @throws AiwError `config_invalid` when an address or the process's OpenTelemetry is taken.
 */
export async function openSdk(options: TelemetryOptions, parts: SdkParts): Promise<OwnSdk> {
  const closing: (() => void | Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const step of closing.splice(0).toReversed()) await step();
  };
  try {
    return { ...(await openParts(options, parts, closing)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openParts(
  { otlp, prometheus, serviceName, global = false }: TelemetryOptions,
  { api, packages, onDropped }: SdkParts,
  closing: (() => void | Promise<void>)[],
): Promise<Omit<OwnSdk, "close">> {
  const [traces, metrics, resources] = await Promise.all([packages.trace(), packages.metrics(), packages.resources()]);
  const resource = resources
    .defaultResource()
    .merge(resources.resourceFromAttributes(serviceName === undefined ? {} : { "service.name": serviceName }));
  const readers: MetricReader[] = [];
  const providers: { shutdown(): Promise<void> }[] = [];
  let tracerProvider: TracerProvider | undefined;
  if (otlp !== undefined) {
    const client = new OtlpClient(otlp);
    closing.push(() => finish(client, providers));
    const serializers = toSerializers(await packages.transformer(), otlp);
    const lose = (count: number): void => onDropped(OTLP_SINK, count);
    const processor = createSpanProcessor(
      (exporter) =>
        new traces.BatchSpanProcessor({ exporter, maxQueueSize: MAX_WAITING_SPANS, exportTimeoutMillis: BATCH_MS }),
      createSpanExporter(client, serializers.traces, lose),
      lose,
    );
    const provider = new traces.TracerProvider({ resource, spanProcessors: [processor] });
    tracerProvider = provider;
    providers.push(provider);
    readers.push(
      new metrics.PeriodicExportingMetricReader({
        exporter: createMetricExporter(client, serializers.metrics),
        exportTimeoutMillis: BATCH_MS,
      }),
    );
  }
  let server: MetricsServer | undefined;
  if (prometheus !== undefined) {
    const { PrometheusExporter, PrometheusSerializer } = await packages.prometheus();
    const reader = new PrometheusExporter({ preventServerStart: true });
    const serializer = new PrometheusSerializer(undefined, false, undefined, false, true);
    readers.push(reader);
    server = await openMetricsServer(prometheus, () => toPrometheusText(reader, serializer));
    closing.push(server.close);
  }
  const meterProvider = new metrics.MeterProvider({ resource, readers });
  providers.push(meterProvider);
  if (global) closing.push(await registerGlobal(api, packages, { tracerProvider, meterProvider }));
  return { tracerProvider, meterProvider, prometheus: server };
}

/** The last spans and metrics have a short while; then requests are ended, so that nothing is left behind. */
async function finish(client: OtlpClient, providers: readonly { shutdown(): Promise<void> }[]): Promise<void> {
  client.hurry();
  const limit = setTimeout(() => client.close(), FLUSH_MS);
  await Promise.allSettled(providers.map((provider) => provider.shutdown()));
  // A batch that was on its way before is nobody's to wait for.
  await client.settle();
  clearTimeout(limit);
  client.close();
}
