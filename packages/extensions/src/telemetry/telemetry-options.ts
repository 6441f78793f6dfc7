import type { MeterProvider, TracerProvider } from "@opentelemetry/api";

/** Where spans and metrics are sent over HTTP. */
export interface OtlpOptions {
  /** The collector's address without a signal's path: `http://127.0.0.1:4318`. */
  readonly endpoint: string;
  /** Sent with every request; keys of the collector go here. */
  readonly headers?: { readonly [name: string]: string };
  /** `http/json` unless named. */
  readonly protocol?: "http/json" | "http/protobuf";
}

/** Where metrics are read. */
export interface PrometheusOptions {
  /** The address to listen at; `127.0.0.1` unless named, so that no other machine reads them. */
  readonly host?: string;
  /** 9464 unless named; 0 takes a free one. */
  readonly port?: number;
}

/** What telemetry says and to whom; without an exporter the host's own OpenTelemetry hears it. */
export interface TelemetryOptions {
  /** `telemetry` unless named; two of one executor need two names. */
  readonly name?: string;
  readonly otlp?: OtlpOptions;
  readonly prometheus?: PrometheusOptions;
  /** `service.name` of what is exported; OpenTelemetry's own default unless named. */
  readonly serviceName?: string;
  /** Puts arguments and results into spans, bounded, secrets masked; no unless named. */
  readonly captureContent?: boolean;
  /** For hosts that trace tools themselves: no spans of our own, our attributes go to the span that is active. */
  readonly hostSpans?: boolean;
  /** Makes what is set up here the process's own OpenTelemetry, so that tools' clients are traced too; no unless named. */
  readonly global?: boolean;
  /** Used in place of the process's own. */
  readonly tracerProvider?: TracerProvider;
  /** Used in place of the process's own. */
  readonly meterProvider?: MeterProvider;
}
