import type { ToolResult } from "@aiw/core";
import type { CallEvent, ExtensionCall } from "@aiw/executor";
import type { Context, Span } from "@opentelemetry/api";
import { addSpanEvent } from "./add-span-event.ts";
import type { CallTrace } from "./call-trace.ts";
import { ATTRIBUTE, SUSPENDED } from "./conventions.ts";
import { describeEnd } from "./describe-call.ts";
import type { OpenTelemetryApi } from "./packages.ts";
import { toTraceContext } from "./trace-context.ts";

/** The span of a host that traces tools itself; it gets what only we know, and stays the host's to end. */
export class HostSpan implements CallTrace {
  readonly context: Context;
  readonly #call: ExtensionCall;
  readonly #span: Span;

  constructor(api: OpenTelemetryApi, call: ExtensionCall, { span, context }: { span: Span; context: Context }) {
    this.context = context;
    this.#call = call;
    this.#span = span;
    call.setTraceContext(() => toTraceContext(api, context));
  }

  runAttempt(execute: () => unknown): unknown {
    return execute();
  }

  onEvent(event: CallEvent): void {
    if (this.#span.isRecording()) addSpanEvent(this.#span, event);
  }

  suspend(): void {
    this.#span.setAttribute(ATTRIBUTE.callStatus, SUSPENDED);
  }

  end(result: ToolResult): void {
    if (!this.#span.isRecording()) return;
    const { toolId, spec } = this.#call;
    const version = spec?.metadata.version;
    this.#span.setAttributes({
      [ATTRIBUTE.toolId]: toolId,
      ...(version !== undefined && { [ATTRIBUTE.toolVersion]: version }),
      ...describeEnd(this.#call, result),
    });
  }
}
