import type { RunningCall } from "../call/running-call.ts";
import type { PipelineStep } from "../pipeline/run-stages.ts";
import { SlotTicket } from "./slot-ticket.ts";
import type { Slots } from "./slots.ts";
import type { ToolLimits } from "./tool-limits.ts";

/** Takes the call's slot and its locks, or waits for its turn; the end of the call gives them back. */
export function concurrencyStep(slots: Slots, limits: ToolLimits): PipelineStep<RunningCall> {
  return {
    stage: "concurrency",
    before: (call) => {
      const { verdict } = call;
      const ticket = slots.enter({
        parent: findCaller(call),
        pools: limits.of(call).pools,
        resources: verdict?.resources,
        exclusive: verdict?.effects.readOnly !== true,
      });
      call.slot = ticket;
      return ticket.state === "held" ? undefined : awaitTurn(slots, call, ticket);
    },
  };
}

/** The nearest call above that has a place: one that calls others while it is assessed has none yet. */
function findCaller({ parent }: RunningCall): SlotTicket | undefined {
  for (let caller = parent; caller !== undefined; caller = caller.parent)
    if (caller.slot instanceof SlotTicket) return caller.slot;
  return undefined;
}

/** Lets the clocks stand still until the call has its turn, or ends. */
function awaitTurn(slots: Slots, call: RunningCall, ticket: SlotTicket): Promise<void> {
  const since = performance.now();
  const resumeClocks = call.pauseClocks();
  return new Promise((resolve, reject) => {
    slots.await(ticket, (refusal) => {
      call.waitedForSlotMs = performance.now() - since;
      resumeClocks();
      if (refusal === undefined) resolve();
      else reject(refusal);
    });
  });
}
