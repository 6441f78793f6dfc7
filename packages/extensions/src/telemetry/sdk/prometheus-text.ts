import type { PrometheusExporter, PrometheusSerializer } from "@opentelemetry/exporter-prometheus";
import type { MetricData, ResourceMetrics } from "@opentelemetry/sdk-metrics";

/** Writes the metrics as they are now for Prometheus, which wants units in names and base units in words. */
export async function toPrometheusText(reader: PrometheusExporter, serializer: PrometheusSerializer): Promise<string> {
  const { resourceMetrics } = await reader.collect();
  return `${serializer.serialize(withUnits(resourceMetrics)).trimEnd()}\n`;
}

function withUnits({ resource, scopeMetrics }: ResourceMetrics): ResourceMetrics {
  return {
    resource,
    scopeMetrics: scopeMetrics.map(({ scope, metrics }) => ({ scope, metrics: metrics.map(withUnit) })),
  };
}

/** A unit in braces only says what is counted. */
function withUnit(metric: MetricData): MetricData {
  const { name, unit } = metric.descriptor;
  if (unit === "s")
    return { ...metric, descriptor: { ...metric.descriptor, name: `${name}.seconds`, unit: "seconds" } };
  return unit.startsWith("{") ? { ...metric, descriptor: { ...metric.descriptor, unit: "" } } : metric;
}
