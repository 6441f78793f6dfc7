import type { ActivityStream, ToolResult } from "@aiw/core";
import type { CallEvent, ExtensionCall } from "@aiw/executor";
import type { CallTrace } from "./call-trace.ts";
import { LABEL } from "./conventions.ts";
import { HostSpan } from "./host-span.ts";
import { OwnSpans } from "./own-spans.ts";
import type { OpenTelemetryApi } from "./packages.ts";
import { resolveParent } from "./resolve-parent.ts";
import type { Signals } from "./signals.ts";
import { WatchedCall } from "./watched-call.ts";

/** What watching calls needs. */
export interface CallWatcherOptions {
  readonly api: OpenTelemetryApi;
  readonly signals: Signals;
  readonly captureContent: boolean;
  readonly hostSpans: boolean;
}

/** Names the queue of events in the metric of what was dropped. */
const ACTIVITY_SINK = "activity";

/** Follows calls; where nobody receives anything it makes nothing. */
export class CallWatcher {
  readonly #options: CallWatcherOptions;
  readonly #watched = new WeakMap<ExtensionCall, WatchedCall>();
  /** Dropped events of each stream that are counted already. */
  readonly #counted = new WeakMap<ActivityStream, number>();

  constructor(options: CallWatcherOptions) {
    this.#options = options;
  }

  begin(call: ExtensionCall): void {
    this.#open(call);
  }

  runAttempt(call: ExtensionCall, execute: () => unknown): void {
    const watched = this.#watched.get(call);
    if (watched === undefined) execute();
    else watched.runAttempt(execute);
  }

  onEvent(call: ExtensionCall, event: CallEvent): void {
    this.#watched.get(call)?.onEvent(event);
  }

  suspend(call: ExtensionCall): void {
    this.#watched.get(call)?.suspend();
    this.#watched.delete(call);
  }

  /** A call that ended before it could begin here is told of all the same. */
  end(call: ExtensionCall, result: ToolResult): void {
    const watched = this.#watched.get(call) ?? this.#open(call, performance.now() - call.durationMs);
    watched?.end(result);
    this.#watched.delete(call);
    for (const stream of call.streams) if (stream.dropped > 0) this.#countDropped(stream);
  }

  #open(call: ExtensionCall, startedAt?: number): WatchedCall | undefined {
    const { instruments } = this.#options.signals;
    const trace = this.#openTrace(call, startedAt);
    if (trace === undefined && instruments === undefined) return undefined;
    const watched = new WatchedCall(call, trace, instruments);
    this.#watched.set(call, watched);
    return watched;
  }

  #openTrace(call: ExtensionCall, startedAt: number | undefined): CallTrace | undefined {
    const { api, signals, captureContent, hostSpans } = this.#options;
    if (hostSpans) {
      const context = api.context.active();
      const span = api.trace.getSpan(context);
      return span === undefined ? undefined : new HostSpan(api, call, { span, context });
    }
    const { tracer } = signals;
    if (tracer === undefined) return undefined;
    const caller = call.parent === undefined ? undefined : this.#watched.get(call.parent)?.trace?.context;
    return new OwnSpans(call, {
      api,
      tracer,
      captureContent,
      ...resolveParent(api, call, caller),
      ...(startedAt !== undefined && { startedAt }),
    });
  }

  #countDropped(stream: ActivityStream): void {
    const { instruments } = this.#options.signals;
    const before = this.#counted.get(stream) ?? 0;
    if (instruments === undefined || stream.dropped <= before) return;
    this.#counted.set(stream, stream.dropped);
    instruments.dropped.add(stream.dropped - before, { [LABEL.sink]: ACTIVITY_SINK });
  }
}
