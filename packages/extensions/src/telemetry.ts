/** Hosts enter here for spans and metrics of calls. */
export { configure, type TelemetrySettings } from "./telemetry/configure.ts";
export { telemetry, type PrometheusEndpoint, type TelemetryExtension } from "./telemetry/telemetry.ts";
export type { OtlpOptions, PrometheusOptions, TelemetryOptions } from "./telemetry/telemetry-options.ts";
