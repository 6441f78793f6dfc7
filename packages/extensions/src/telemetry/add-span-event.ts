import type { CallEvent } from "@aiw/executor";
import type { Span } from "@opentelemetry/api";
import { SPAN_EVENT } from "./conventions.ts";

/** Tells a span what happened in its call; texts of people and tools stay out, since they may hold secrets. */
export function addSpanEvent(span: Span, { type, data }: CallEvent): void {
  switch (type) {
    case "tool_approval_request":
      span.addEvent(SPAN_EVENT.approvalRequest, data.rule === undefined ? {} : { rule: data.rule });
      return;
    case "tool_approval_decision":
      span.addEvent(SPAN_EVENT.approvalDecision, {
        decision: data.decision,
        ...(data.by !== undefined && { by: data.by }),
        ...(data.waitedMs !== undefined && { wait_seconds: data.waitedMs / 1000 }),
      });
      return;
    case "tool_retry":
      span.addEvent(SPAN_EVENT.retry, { attempt: data.attempt, delay_seconds: data.delayMs / 1000, code: data.code });
      return;
    case "tool_call_repeated":
      span.addEvent(SPAN_EVENT.repeated, { times: data.times, blocked: data.blocked });
      return;
    case "tool_arguments_repaired":
    case "tool_output_chunk":
    case "tool_progress":
  }
}
