import * as api from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { MeterProvider, MetricReader, type DataPoint, type Histogram, type MetricData } from "@opentelemetry/sdk-metrics";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider, type ReadableSpan } from "@opentelemetry/sdk-trace";

class Reader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

/** Providers that keep what they are told, and ways to look at it. */
export interface InMemory {
  readonly tracerProvider: TracerProvider;
  readonly meterProvider: MeterProvider;
  /** Finished spans, in the order they ended. */
  spans(): readonly ReadableSpan[];
  /** The one span of a name. */
  span(name: string): ReadableSpan;
  metric(name: string): Promise<MetricData | undefined>;
  /** The points of a metric; of a histogram their counts and sums. */
  points(name: string): Promise<readonly { readonly labels: api.Attributes; readonly value: number; readonly sum?: number }[]>;
}

export function inMemory(): InMemory {
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  const reader = new Reader();
  const meterProvider = new MeterProvider({ readers: [reader] });
  const metric = async (name: string): Promise<MetricData | undefined> => {
    const { resourceMetrics } = await reader.collect();
    return resourceMetrics.scopeMetrics.flatMap(({ metrics }) => metrics).find((one) => one.descriptor.name === name);
  };
  return {
    tracerProvider,
    meterProvider,
    spans: () => exporter.getFinishedSpans(),
    span: (name) => {
      const found = exporter.getFinishedSpans().filter((span) => span.name === name);
      const [first] = found;
      if (first === undefined || found.length > 1)
        throw new TypeError(`${found.length} spans are named ${name}: ${exporter.getFinishedSpans().map((one) => one.name).join(", ")}`);
      return first;
    },
    metric,
    points: async (name) => {
      const found: readonly DataPoint<unknown>[] = (await metric(name))?.dataPoints ?? [];
      return found.map(({ attributes, value }) => {
        if (typeof value === "number") return { labels: attributes, value };
        const { count, sum = 0 } = value as Histogram;
        return { labels: attributes, value: count, sum };
      });
    },
  };
}

/** Lets contexts follow asynchronous work until the function it gives is called. */
export function enableContexts(): () => void {
  api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  return () => api.context.disable();
}
