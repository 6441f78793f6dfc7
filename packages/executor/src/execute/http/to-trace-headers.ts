import type { TraceContext } from "@aiw/core";

const TRACE_PARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(?:-[\u0021-\u007e]{1,400})?$/;
const TRACE_STATE = /^[\u0020-\u007e]{1,512}$/;

/** Says in headers which trace a request belongs to (W3C); baggage stays here, since it may hold what is not for others. */
export function toTraceHeaders(trace: TraceContext | undefined): Readonly<Record<string, string>> {
  if (trace === undefined || !TRACE_PARENT.test(trace.traceparent)) return {};
  const { traceparent, tracestate } = trace;
  return { traceparent, ...(tracestate !== undefined && TRACE_STATE.test(tracestate) && { tracestate }) };
}
