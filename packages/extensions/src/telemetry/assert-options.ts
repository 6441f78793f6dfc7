import { validateHeaderName, validateHeaderValue } from "node:http";
import { AiwError, assertKnownOptions } from "@aiw/core";
import type { OtlpOptions, PrometheusOptions, TelemetryOptions } from "./telemetry-options.ts";

const KNOWN: ReadonlySet<string> = new Set<keyof TelemetryOptions>([
  "name",
  "otlp",
  "prometheus",
  "serviceName",
  "captureContent",
  "hostSpans",
  "global",
  "tracerProvider",
  "meterProvider",
]);

/**
 * Refuses options that cannot be meant; a misspelt one would silently not hold.
 * @throws AiwError `config_invalid`
 */
export function assertOptions(options: TelemetryOptions): void {
  assertKnownOptions("telemetry", options, KNOWN);
  const { otlp, prometheus, global } = options;
  if (otlp !== undefined) assertOtlp(otlp);
  if (prometheus !== undefined) assertPrometheus(prometheus);
  if (global === true && otlp === undefined && prometheus === undefined)
    throw invalid("`global` needs something to export with", "Name `otlp` or `prometheus` too.");
}

function assertOtlp(otlp: OtlpOptions): void {
  assertKnownOptions("telemetry.otlp", otlp, new Set(["endpoint", "headers", "protocol"]));
  const { endpoint, headers = {}, protocol = "http/json" } = otlp;
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if ((url?.protocol !== "http:" && url?.protocol !== "https:") || url.search !== "" || url.hash !== "")
    throw invalid("`otlp.endpoint` is no http address", 'Write it like "http://127.0.0.1:4318".');
  if (url.username !== "" || url.password !== "")
    throw invalid("`otlp.endpoint` holds a user or a password", "Send them in `otlp.headers`.");
  if (protocol !== "http/json" && protocol !== "http/protobuf")
    throw invalid("`otlp.protocol` is none", 'Name "http/json" or "http/protobuf".');
  for (const [name, value] of Object.entries(headers)) assertHeader(name, value);
}

/** The value may be a secret and is not repeated. */
function assertHeader(name: string, value: unknown): void {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, typeof value === "string" ? value : "\n");
  } catch {
    throw invalid(`\`otlp.headers\` has a header that cannot be sent: ${JSON.stringify(name)}`, "Correct it.");
  }
}

function assertPrometheus(prometheus: PrometheusOptions): void {
  assertKnownOptions("telemetry.prometheus", prometheus, new Set(["host", "port"]));
  const { host = "127.0.0.1", port = 0 } = prometheus;
  if (typeof host !== "string" || host === "")
    throw invalid("`prometheus.host` is no address", 'Write it like "127.0.0.1".');
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw invalid("`prometheus.port` is no port", "Name a whole number from 0 to 65535; 0 takes a free one.");
}

function invalid(what: string, fix: string): AiwError {
  return new AiwError("config_invalid", `Telemetry cannot be set up: ${what}.`, { fix });
}
