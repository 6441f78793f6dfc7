import { AiwError } from "@aiw/core";
import type { Context, ContextManager, MeterProvider, TextMapPropagator, TracerProvider } from "@opentelemetry/api";
import type { OpenTelemetryApi, Packages } from "../packages.ts";
import { fromTraceContext, toTraceContext } from "../trace-context.ts";

/** What the process's own OpenTelemetry is to be. */
export interface GlobalProviders {
  readonly tracerProvider?: TracerProvider | undefined;
  readonly meterProvider?: MeterProvider | undefined;
}

/**
 * Makes providers the process's own; gives what takes them back.
 * @throws AiwError `config_invalid` when the process has others: they would not hear of calls.
 */
export async function registerGlobal(
  api: OpenTelemetryApi,
  packages: Packages,
  providers: GlobalProviders,
): Promise<() => void> {
  const { AsyncLocalStorageContextManager } = await packages.contexts();
  const parts = toParts(api, new AsyncLocalStorageContextManager().enable(), providers);
  const taken = parts.findIndex(({ register }) => !register());
  const registered = taken === -1 ? parts : parts.slice(0, taken);
  const takeBack = (): void => {
    for (const { disable } of registered.toReversed()) disable();
  };
  if (taken === -1) return takeBack;
  takeBack();
  const name = parts[taken]?.name ?? "";
  throw new AiwError(
    "config_invalid",
    `Telemetry cannot be the process's own: OpenTelemetry has its ${name} already.`,
    {
      fix: "Leave `global` out, or `otlp` and `prometheus` too: then what the process has is used.",
    },
  );
}

interface GlobalPart {
  readonly name: string;
  /** False when the process has another one. */
  register(): boolean;
  disable(): void;
}

function toParts(
  api: OpenTelemetryApi,
  contexts: ContextManager,
  { tracerProvider, meterProvider }: GlobalProviders,
): GlobalPart[] {
  const { context, trace, metrics, propagation } = api;
  const parts: GlobalPart[] = [
    {
      name: "contexts",
      register: () => context.setGlobalContextManager(contexts),
      disable: () => context.disable(),
    },
    {
      name: "propagation",
      register: () => propagation.setGlobalPropagator(createPropagator(api)),
      disable: () => propagation.disable(),
    },
  ];
  if (tracerProvider !== undefined)
    parts.push({
      name: "spans",
      register: () => trace.setGlobalTracerProvider(tracerProvider),
      disable: () => trace.disable(),
    });
  if (meterProvider !== undefined)
    parts.push({
      name: "metrics",
      register: () => metrics.setGlobalMeterProvider(meterProvider),
      disable: () => metrics.disable(),
    });
  return parts;
}

/** Headers of W3C, as our own calls pass them on. */
function createPropagator(api: OpenTelemetryApi): TextMapPropagator {
  const fields = ["traceparent", "tracestate", "baggage"] as const;
  return {
    fields: () => [...fields],
    inject: (context, carrier, setter) => {
      const given = toTraceContext(api, context);
      for (const field of fields) if (given?.[field] !== undefined) setter.set(carrier, field, given[field]);
    },
    extract: (context, carrier, getter): Context => {
      const [traceparent, tracestate, baggage] = fields.map((field) => {
        const value = getter.get(carrier, field);
        return Array.isArray(value) ? value.join(",") : value;
      });
      if (traceparent === undefined) return context;
      return (
        fromTraceContext(
          api,
          { traceparent, ...(tracestate !== undefined && { tracestate }), ...(baggage !== undefined && { baggage }) },
          context,
        ) ?? context
      );
    },
  };
}
