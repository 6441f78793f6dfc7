import type { ToolResult } from "@aiw/core";
import type { CallEvent, ExtensionCall } from "@aiw/executor";
import type { Context, Link, Span, Tracer } from "@opentelemetry/api";
import { addSpanEvent } from "./add-span-event.ts";
import type { CallTrace, Execution } from "./call-trace.ts";
import { ATTRIBUTE, SPAN, SUSPENDED } from "./conventions.ts";
import {
  describeArguments,
  describeCall,
  describeEnd,
  describeExecution,
  describeResult,
  toToolLabel,
} from "./describe-call.ts";
import type { OpenTelemetryApi } from "./packages.ts";
import { toTraceContext } from "./trace-context.ts";

/** What spans of a call are made with. */
export interface OwnSpansOptions {
  readonly api: OpenTelemetryApi;
  readonly tracer: Tracer;
  readonly parent: Context;
  readonly links: Link[];
  readonly captureContent: boolean;
  /** On the clock of `performance.now()`; now unless named. */
  readonly startedAt?: number;
}

/** Two spans of a call: one for all of it, and within that one for the execution. */
export class OwnSpans implements CallTrace {
  readonly #call: ExtensionCall;
  readonly #options: OwnSpansOptions;
  readonly #span: Span;
  readonly #within: Context;
  #execution: Span | undefined;
  #context: Context | undefined;

  constructor(call: ExtensionCall, options: OwnSpansOptions) {
    const { api, tracer, parent, links, startedAt } = options;
    this.#call = call;
    this.#options = options;
    this.#span = tracer.startSpan(
      `${SPAN.call} ${toToolLabel(call)}`,
      {
        kind: api.SpanKind.INTERNAL,
        attributes: describeCall(call),
        ...(links.length > 0 && { links }),
        ...(startedAt !== undefined && { startTime: startedAt }),
      },
      parent,
    );
    this.#within = api.trace.setSpan(parent, this.#span);
    call.setTraceContext(() => toTraceContext(api, this.#context ?? this.#within));
  }

  get context(): Context | undefined {
    return this.#context;
  }

  runAttempt(execute: () => unknown, startedAt: number): unknown {
    const { api } = this.#options;
    this.#context ??= api.trace.setSpan(this.#within, this.#startExecution(startedAt));
    return api.context.with(this.#context, execute);
  }

  onEvent(event: CallEvent): void {
    const span = event.type === "tool_retry" ? (this.#execution ?? this.#span) : this.#span;
    if (span.isRecording()) addSpanEvent(span, event);
  }

  end(result: ToolResult, execution: Execution | undefined): void {
    const span = this.#execution;
    if (span !== undefined && execution !== undefined) {
      this.#close(span, result, execution.failed);
      span.end(execution.endedAt);
    }
    this.#close(this.#span, result, !result.success);
    this.#span.end();
  }

  suspend(execution: Execution | undefined): void {
    if (execution !== undefined) this.#execution?.end(execution.endedAt);
    this.#span.setAttribute(ATTRIBUTE.callStatus, SUSPENDED);
    this.#span.end();
  }

  #startExecution(startTime: number): Span {
    const { api, tracer, captureContent } = this.#options;
    this.#execution = tracer.startSpan(
      `${SPAN.execution} ${toToolLabel(this.#call)}`,
      { kind: api.SpanKind.INTERNAL, attributes: describeExecution(this.#call), startTime },
      this.#within,
    );
    if (captureContent && this.#execution.isRecording()) this.#execution.setAttributes(describeArguments(this.#call));
    return this.#execution;
  }

  #close(span: Span, result: ToolResult, failed: boolean): void {
    if (!span.isRecording()) return;
    const { api, captureContent } = this.#options;
    span.setAttributes(describeEnd(this.#call, result));
    // A definition that only running code could tell is known by now.
    const version = this.#call.spec?.metadata.version;
    if (version !== undefined) span.setAttribute(ATTRIBUTE.toolVersion, version);
    if (captureContent && span === this.#execution) span.setAttributes(describeResult(this.#call, result));
    if (!failed || result.success) return;
    span.setAttribute(ATTRIBUTE.errorType, result.code);
    span.setStatus({ code: api.SpanStatusCode.ERROR, message: result.code });
  }
}
