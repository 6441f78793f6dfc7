import type { ToolManager } from "@aiw/executor";
import type { TelemetryExtension } from "@aiw/extensions/telemetry";

/** Where the metrics of a run can be read while it lasts: the telemetry that configuration turned on knows its port. */
export function findMetrics({ executor }: ToolManager): string | undefined {
  const telemetry = executor.extensions.list().find(({ extension }) => extension.name === "extensions.telemetry");
  return (telemetry?.extension as Partial<TelemetryExtension> | undefined)?.prometheus?.url;
}
