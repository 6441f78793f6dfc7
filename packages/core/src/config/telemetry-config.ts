/** Spans and metrics of calls, by OpenTelemetry. */
export interface TelemetryConfig {
  /** A collector they are sent to. */
  readonly otlp?: {
    readonly endpoint: string;
    /** Secrets are references `{ "$env": "NAME" }`. */
    readonly headers?: { readonly [name: string]: string | { readonly $env: string } };
    /** `http/json` unless named. */
    readonly protocol?: "http/json" | "http/protobuf";
  };
  /** Where metrics are read. */
  readonly prometheus?: {
    /** `127.0.0.1` unless named. */
    readonly host?: string;
    /** 9464 unless named; 0 takes a free one. */
    readonly port?: number;
  };
  readonly serviceName?: string;
  /** Puts arguments and results into spans, secrets masked. */
  readonly captureContent?: boolean;
}
