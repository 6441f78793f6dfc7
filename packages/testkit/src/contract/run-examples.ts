import { isDeepStrictEqual } from "node:util";
import { runTool, ToolError, validateCall, type JsonObject, type Tool, type ToolResult } from "@aiw/core";
import { fakeContext } from "../fake-context.ts";
import type { TemporaryWorkspace } from "../workspace/temporary-workspace.ts";

/** Milliseconds an example may take; whoever tries a tool waits no longer. */
export const EXAMPLE_MS = 10_000;

/** How an example came out. */
export interface ExampleRun {
  readonly input: JsonObject;
  readonly result: ToolResult;
  /** Everything it streamed. */
  readonly text: string;
}

let calls = 0;

/** Calls a tool with one of its examples, in a conversation of its own. */
export async function runExample(
  tool: Tool,
  input: JsonObject,
  { workspace, options }: { readonly workspace: TemporaryWorkspace; readonly options: unknown },
): Promise<ExampleRun> {
  calls += 1;
  await using fake = fakeContext({ workspace, callId: `example-${calls}`, sessionId: `example-${calls}` });
  const reason = new ToolError("timeout", `The example took longer than ${EXAMPLE_MS} ms.`);
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(reason), EXAMPLE_MS);
  try {
    const result = await runTool(tool, input, { ...fake.environment, options, signal: late.signal });
    return { input, result, text: fake.text() };
  } finally {
    clearTimeout(timer);
  }
}

/** The examples that are admitted; another check speaks of the others. */
export async function findRunnable(tool: Tool, options: unknown): Promise<JsonObject[]> {
  const admitted: JsonObject[] = [];
  for (const { input } of tool.spec.instructions?.examples ?? []) {
    const isAdmitted = await validateCall(tool, input, options).then(
      () => true,
      () => false,
    );
    if (isAdmitted) admitted.push(input);
  }
  return admitted;
}

/** True when two runs came to the same for the model and for whoever watched. */
export function isSameOutcome(one: ExampleRun, other: ExampleRun): boolean {
  return isDeepStrictEqual(toOutcome(one), toOutcome(other));
}

/** What of a run must not depend on what else runs. */
export function toOutcome({ result, text }: ExampleRun): unknown {
  return result.success ? { value: result.value, text } : { code: result.code, error: result.error, text };
}
