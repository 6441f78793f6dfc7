import type { ToolRegistry } from "@aiw/core";

/**
 * Runs the code that alone can say which tools there are, before a name that nobody has counts as unknown.
 * Undefined when nothing could change: the name is known, or all such code has run.
 */
export function expandFor(registry: ToolRegistry, name: unknown): Promise<void> | undefined {
  if (typeof name !== "string" || registry.has(name) || !registry.isExpandable) return undefined;
  // What went wrong is in the report, where the refusal of the name finds it.
  return registry.expand().catch(() => undefined);
}
