import type { MeterProvider, Tracer, TracerProvider } from "@opentelemetry/api";
import { createInstruments, type Instruments } from "./instruments.ts";
import type { OpenTelemetryApi } from "./packages.ts";

/** Names what spans and metrics come from. */
const SCOPE = "@aiw/extensions";

/** Providers that are used in place of the process's own. */
export interface Providers {
  readonly tracerProvider?: TracerProvider | undefined;
  readonly meterProvider?: MeterProvider | undefined;
}

/** A provider that stands in for the process's own, which may be registered later. */
interface StandIn {
  getDelegateTracer(name: string): Tracer | undefined;
}

/** Finds where spans and metrics go, and says so when they go nowhere: then nothing need be made. */
export class Signals {
  readonly #api: OpenTelemetryApi;
  readonly #own: Providers;
  #tracer: Tracer | undefined;
  #tracerOf: TracerProvider | undefined;
  #instruments: Instruments | undefined;
  #instrumentsOf: MeterProvider | undefined;

  constructor(api: OpenTelemetryApi, own: Providers) {
    this.#api = api;
    this.#own = own;
  }

  /** Undefined while nobody receives spans. */
  get tracer(): Tracer | undefined {
    const provider = this.#own.tracerProvider ?? this.#api.trace.getTracerProvider();
    if (this.#tracer !== undefined && this.#tracerOf === provider) return this.#tracer;
    this.#tracer = isStandIn(provider) ? provider.getDelegateTracer(SCOPE) : provider.getTracer(SCOPE);
    this.#tracerOf = provider;
    return this.#tracer;
  }

  /** Undefined while nobody receives metrics. */
  get instruments(): Instruments | undefined {
    const provider = this.#own.meterProvider ?? this.#api.metrics.getMeterProvider();
    if (this.#instrumentsOf === provider) return this.#instruments;
    const meter = provider.getMeter(SCOPE);
    this.#instruments = meter === this.#api.createNoopMeter() ? undefined : createInstruments(meter);
    this.#instrumentsOf = provider;
    return this.#instruments;
  }
}

function isStandIn(provider: TracerProvider): provider is TracerProvider & StandIn {
  return "getDelegateTracer" in provider && typeof provider.getDelegateTracer === "function";
}
