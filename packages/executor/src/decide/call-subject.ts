import type { ToolRegistry } from "@aiw/core";
import type { RunningCall } from "../call/running-call.ts";
import type { PolicySubject } from "./policy-rules.ts";

/** The tool of a call as rules see it; who owns the name is looked up when a rule asks, as things are then. */
export class CallSubject implements PolicySubject {
  readonly toolId: string;
  readonly toolName: string;
  readonly #registry: ToolRegistry;

  constructor({ toolId, toolName }: RunningCall, registry: ToolRegistry) {
    this.toolId = toolId;
    this.toolName = toolName;
    this.#registry = registry;
  }

  get ownsName(): boolean {
    return this.#registry.getEntry(this.toolName)?.id === this.toolId;
  }
}
