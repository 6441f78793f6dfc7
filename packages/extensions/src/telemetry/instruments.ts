import type { Counter, Histogram, Meter, UpDownCounter } from "@opentelemetry/api";
import { DURATION_BUCKETS } from "./conventions.ts";

/** Everything that is counted and measured of calls. */
export interface Instruments {
  readonly duration: Histogram;
  readonly calls: Counter;
  readonly active: UpDownCounter;
  readonly approvals: Counter;
  readonly approvalWait: Histogram;
  readonly retries: Counter;
  readonly repeats: Counter;
  readonly truncations: Counter;
  readonly unsettled: Counter;
  readonly slotWait: Histogram;
  readonly dropped: Counter;
}

/** Makes the instruments of one meter. */
export function createInstruments(meter: Meter): Instruments {
  const seconds = (name: string, description: string): Histogram =>
    meter.createHistogram(name, {
      description,
      unit: "s",
      advice: { explicitBucketBoundaries: [...DURATION_BUCKETS] },
    });
  const count = (name: string, unit: string, description: string): Counter =>
    meter.createCounter(name, { description, unit });
  return {
    duration: seconds("gen_ai.execute_tool.duration", "How long tools ran, retries included."),
    calls: count("aiw.tool.calls", "{call}", "Calls that ended."),
    active: meter.createUpDownCounter("aiw.tool.calls.active", { description: "Calls on their way.", unit: "{call}" }),
    approvals: count("aiw.tool.approvals", "{approval}", "Answers to the question whether a call may run."),
    approvalWait: seconds("aiw.tool.approval.wait", "How long calls waited for an answer."),
    retries: count("aiw.tool.retries", "{retry}", "Attempts after a first one that failed."),
    repeats: count("aiw.tool.repeats", "{call}", "Calls that repeated an earlier one."),
    truncations: count("aiw.tool.truncations", "{result}", "Results that were shortened."),
    unsettled: count("aiw.tool.unsettled", "{call}", "Calls whose work may still have run at their end."),
    slotWait: seconds("aiw.tool.slot.wait", "How long calls waited for their turn."),
    dropped: count("aiw.events.dropped", "{event}", "Events and spans that never reached who should have them."),
  };
}
