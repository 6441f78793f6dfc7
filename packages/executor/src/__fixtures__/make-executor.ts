import { ActivityStream, ToolRegistry, type ActivityEvent, type Tool } from "@aiw/core";
import type { UnifiedToolExecutorOptions } from "../executor-options.ts";
import { UnifiedToolExecutor } from "../unified-tool-executor.ts";

/** An executor on some tools, and every event it told. */
export interface MadeExecutor {
  readonly executor: UnifiedToolExecutor;
  readonly registry: ToolRegistry;
  readonly activity: ActivityStream;
  readonly events: ActivityEvent[];
  /** Types of the events of one call, in order. */
  typesOf(callId: string): string[];
}

export function makeExecutor(tools: readonly Tool[], options: UnifiedToolExecutorOptions = {}): MadeExecutor {
  const registry = new ToolRegistry();
  for (const tool of tools) registry.register(tool);
  const activity = options.activity ?? new ActivityStream();
  const events: ActivityEvent[] = [];
  activity.subscribe("*", (event) => events.push(event));
  const executor = new UnifiedToolExecutor(registry, { ...options, activity });
  return {
    executor,
    registry,
    activity,
    events,
    typesOf: (callId) => events.filter((event) => event.callId === callId).map(({ type }) => type),
  };
}
