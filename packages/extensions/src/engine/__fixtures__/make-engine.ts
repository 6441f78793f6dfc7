import { ActivityStream, defineTool, ToolRegistry, type ActivityEvent, type Tool } from "@aiw/core";
import { UnifiedToolExecutor, type UnifiedToolExecutorOptions } from "@aiw/executor";

/** An executor on some tools, and every event it told. */
export interface MadeEngine {
  readonly executor: UnifiedToolExecutor;
  readonly registry: ToolRegistry;
  readonly activity: ActivityStream;
  readonly events: ActivityEvent[];
}

export function makeEngine(tools: readonly Tool[], options: UnifiedToolExecutorOptions = {}): MadeEngine {
  const registry = new ToolRegistry();
  for (const tool of tools) registry.register(tool);
  const activity = new ActivityStream();
  const events: ActivityEvent[] = [];
  activity.subscribe("*", (event) => {
    events.push(event);
  });
  return { executor: new UnifiedToolExecutor(registry, { activity, ...options }), registry, activity, events };
}

/** A tool that a person is asked about. */
export function unsafeTool(execute: () => unknown = () => "wiped"): Tool {
  return defineTool({
    name: "wipe",
    description: "Wipes.",
    effects: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    execute,
  }) as Tool;
}
