import type { Extension } from "@aiw/executor";
import { assertOptions } from "./assert-options.ts";
import { CallWatcher } from "./call-watcher.ts";
import { LABEL } from "./conventions.ts";
import { INSTALLED, loadPackages, type Packages } from "./packages.ts";
import { openSdk, type OwnSdk } from "./sdk/open-sdk.ts";
import { Signals } from "./signals.ts";
import type { TelemetryOptions } from "./telemetry-options.ts";

/** Where metrics are read; `port` is the one that was taken. */
export interface PrometheusEndpoint {
  readonly host: string;
  readonly port: number;
  readonly url: string;
}

/** The extension, and what hosts ask of it beside. */
export interface TelemetryExtension extends Extension {
  /** Absent unless metrics are read here. */
  readonly prometheus: PrometheusEndpoint | undefined;
  /** Counts what a sink of the host lost, as `aiw.events.dropped`; `sink` is one of a few names. */
  countDropped(sink: string, count?: number): void;
}

/**
 * Tells OpenTelemetry of calls: spans and metrics by the GenAI conventions.
 * @throws AiwError `extension_unavailable` when packages are missing, `config_invalid` for options that cannot be meant.
 */
export async function telemetry(options: TelemetryOptions = {}): Promise<TelemetryExtension> {
  return openTelemetry(options, INSTALLED);
}

/** The same with packages from elsewhere. */
export async function openTelemetry(options: TelemetryOptions, packages: Packages): Promise<TelemetryExtension> {
  assertOptions(options);
  const needs = (["otlp", "prometheus", "global"] as const).filter((need) => isAsked(options[need]));
  const api = await loadPackages(needs, () => packages.api());
  // Counted as drops of its own as soon as there is something to count with.
  let countDropped = (_sink: string, _count: number): void => undefined;
  const sdk: OwnSdk | undefined =
    needs.length === 0
      ? undefined
      : await loadPackages(needs, () =>
          openSdk(options, { api, packages, onDropped: (sink, count) => countDropped(sink, count) }),
        );
  const signals = new Signals(api, {
    tracerProvider: options.tracerProvider ?? sdk?.tracerProvider,
    meterProvider: options.meterProvider ?? sdk?.meterProvider,
  });
  countDropped = (sink, count) => signals.instruments?.dropped.add(count, { [LABEL.sink]: sink });
  const { captureContent = false, hostSpans = false } = options;
  const watcher = new CallWatcher({ api, signals, captureContent, hostSpans });
  return {
    name: options.name ?? "telemetry",
    stage: "trace",
    priority: "highest",
    prometheus: sdk?.prometheus,
    countDropped: (sink, count = 1) => countDropped(sink, count),
    beforeExecute: (call) => watcher.begin(call),
    executeWithin: (call, execute) => watcher.runAttempt(call, execute),
    onEvent: (call, event) => watcher.onEvent(call, event),
    afterExecute: (call, result) => watcher.end(call, result),
    onError: (call, failure) => watcher.end(call, failure),
    onSuspend: (call) => watcher.suspend(call),
    close: () => sdk?.close(),
  };
}

function isAsked(option: object | boolean | undefined): boolean {
  return option !== undefined && option !== false;
}
