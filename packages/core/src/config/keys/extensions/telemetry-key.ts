import { TEXT, type KeySchema } from "../key-schema.ts";

const OTLP: KeySchema = {
  type: "object",
  required: ["endpoint"],
  description: "Sends spans and metrics to a collector; needs @opentelemetry/otlp-transformer.",
  additionalProperties: false,
  properties: {
    endpoint: {
      type: "string",
      pattern: "^https?://",
      maxLength: 2048,
      "x-aiw-must": "be an http or https address",
      description: "The collector's address without a signal's path.",
      examples: ["http://127.0.0.1:4318"],
    },
    headers: {
      type: "object",
      description: 'Sent with every request. `{ "$env": "NAME" }` is the value of an environment variable.',
      maxProperties: 64,
      additionalProperties: {},
      examples: [{ "x-api-key": { $env: "COLLECTOR_KEY" } }],
    },
    protocol: {
      type: "string",
      enum: ["http/json", "http/protobuf"],
      description: "How they are written.",
      default: "http/json",
    },
  },
};

const PROMETHEUS: KeySchema = {
  type: "object",
  description: "Offers metrics at `/metrics`; needs @opentelemetry/exporter-prometheus.",
  additionalProperties: false,
  properties: {
    host: {
      ...TEXT,
      description: "The address to listen at; another one than the default lets other machines read.",
      default: "127.0.0.1",
    },
    port: {
      type: "integer",
      minimum: 0,
      maximum: 65_535,
      "x-aiw-must": "be a whole number from 0 to 65535",
      description: "0 takes a free one.",
      default: 9464,
    },
  },
};

/** The key `extensions.telemetry`. */
export const TELEMETRY_KEY: KeySchema = {
  type: "object",
  description:
    "Spans and metrics of calls, by OpenTelemetry: the host's own unless an exporter is named; needs @opentelemetry/api, and to export @opentelemetry/sdk-trace, sdk-metrics and resources.",
  examples: [{ prometheus: { port: 9464 } }],
  additionalProperties: false,
  properties: {
    otlp: OTLP,
    prometheus: PROMETHEUS,
    serviceName: { ...TEXT, description: "Names this program in what is exported.", examples: ["my-agent"] },
    captureContent: {
      type: "boolean",
      description: "Puts arguments and results into spans, bounded, secrets masked.",
      default: false,
    },
  },
  "x-aiw-effect": "widens",
  "x-aiw-merge": "members",
};
