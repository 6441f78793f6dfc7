import {
  defineDataTool,
  ToolRegistry,
  type DataToolDefinition,
  type DataToolOptions,
  type Tool,
  type ToolFailure,
  type ToolResult,
  type WorkspaceRoots,
} from "@aiw/core";
import { UnifiedToolExecutor } from "../../unified-tool-executor.ts";
import type { Executor } from "../executor.ts";

/** How one call of a tool that is data is made. */
export interface RunDataToolOptions extends DataToolOptions {
  readonly executors?: Readonly<Record<string, Executor>>;
  readonly workspace?: WorkspaceRoots;
  readonly signal?: AbortSignal;
}

const EFFECTS = { readOnly: true, destructive: false, idempotent: true, openWorld: false };

/** Defines a tool whose parameters are named, all texts unless their schema is given. */
export function dataTool(
  type: string,
  implementation: unknown,
  { parameters = {}, ...options }: DataToolOptions & { readonly parameters?: Readonly<Record<string, object>> } = {},
): Tool {
  const definition: DataToolDefinition = {
    name: "data_tool",
    description: "Works.",
    type,
    inputSchema: { type: "object", properties: parameters as never, additionalProperties: false },
    metadata: { effects: EFFECTS },
    implementation,
  };
  return defineDataTool(definition, options);
}

/** Runs one call of a tool. */
export async function runDataTool(tool: Tool, input: unknown, options: RunDataToolOptions = {}): Promise<ToolResult> {
  const { executors, workspace, signal } = options;
  const registry = new ToolRegistry();
  registry.register(tool);
  await using executor = new UnifiedToolExecutor(registry, {
    ...(executors && { executors }),
    ...(workspace && { workspace }),
    rules: [{ match: { tool: "*" }, decision: "allow" }],
    // One attempt is looked at.
    limits: { retry: { attempts: 1 } },
  });
  return await executor.execute("data_tool", input, signal === undefined ? {} : { signal });
}

/** The failure a call ended with. */
export async function failureOf(result: Promise<ToolResult>): Promise<ToolFailure> {
  const ended = await result;
  if (ended.success) throw new Error("The call succeeded.");
  return ended;
}
