import { AiwError } from "@aiw/core";
import type { Context, MeterProvider, TextMapPropagator, TracerProvider } from "@opentelemetry/api";
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
  { tracerProvider, meterProvider }: GlobalProviders,
): Promise<() => void> {
  const { AsyncLocalStorageContextManager } = await packages.contexts();
  const contexts = new AsyncLocalStorageContextManager().enable();
  const parts: readonly { readonly name: string; register(): boolean; disable(): void }[] = [
    {
      name: "contexts",
      register: () => api.context.setGlobalContextManager(contexts),
      disable: () => api.context.disable(),
    },
    ...(tracerProvider === undefined
      ? []
      : [
          {
            name: "spans",
            register: () => api.trace.setGlobalTracerProvider(tracerProvider),
            disable: () => api.trace.disable(),
          },
        ]),
    ...(meterProvider === undefined
      ? []
      : [
          {
            name: "metrics",
            register: () => api.metrics.setGlobalMeterProvider(meterProvider),
            disable: () => api.metrics.disable(),
          },
        ]),
    {
      name: "propagation",
      register: () => api.propagation.setGlobalPropagator(createPropagator(api)),
      disable: () => api.propagation.disable(),
    },
  ];
  const done: (() => void)[] = [];
  const takeBack = (): void => {
    for (const disable of done.splice(0).toReversed()) disable();
  };
  for (const { name, register, disable } of parts) {
    if (register()) {
      done.push(disable);
      continue;
    }
    takeBack();
    contexts.disable();
    throw new AiwError(
      "config_invalid",
      `Telemetry cannot be the process's own: OpenTelemetry has its ${name} already.`,
      {
        fix: "Leave `global` out, or `otlp` and `prometheus` too: then what the process has is used.",
      },
    );
  }
  return takeBack;
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
