import { BoundedInput, type ToolError, type ToolRegistry } from "@aiw/core";
import { AbortNode } from "./abort-tree.ts";
import { toAbortParent, type AskedCall, type CallHost } from "./open-call.ts";

/**
 * Runs the code that alone can say which tools there are, before a name that nobody has counts as unknown.
 * Undefined when nothing could change: the name is known, or all such code has run.
 */
export function expandFor(registry: ToolRegistry, name: unknown): Promise<void> | undefined {
  if (typeof name !== "string" || registry.has(name) || !registry.isExpandable) return undefined;
  // What went wrong is in the report, where the refusal of the name finds it.
  return registry.expand().catch(() => undefined);
}

/** Gives the call as it was asked for, once that code has run or the call was aborted. */
export async function awaitExpansion(host: CallHost, asked: AskedCall, expanding: Promise<void>): Promise<AskedCall> {
  const kept: AskedCall = { ...asked, input: copyInput(asked) };
  const refusal = await waitFor(expanding, host, asked);
  return refusal === undefined ? kept : { ...kept, refusal };
}

/** What the caller writes to its arguments meanwhile is not what was asked; those that cannot be copied are refused later. */
function copyInput({ input, options }: AskedCall): unknown {
  try {
    return options?.inputFormat === "json_text" ? input : new BoundedInput(input).value;
  } catch {
    return input;
  }
}

/** Waits no longer than the caller, the conversation and the executor do; gives the reason of an abort. */
async function waitFor(
  expanding: Promise<void>,
  host: CallHost,
  { parent, options }: AskedCall,
): Promise<ToolError | undefined> {
  const abort = new AbortNode(toAbortParent(host, parent, options ?? {}));
  const { promise: aborted, resolve } = Promise.withResolvers<ToolError>();
  try {
    abort.follow(options?.signal);
    abort.onAbort = resolve;
    return (await Promise.race([expanding, aborted])) ?? undefined;
  } catch {
    // What is no signal fails the call where signals are followed.
    await expanding;
    return undefined;
  } finally {
    abort.end();
  }
}
