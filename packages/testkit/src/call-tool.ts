import { runTool, type Tool, type ToolResult } from "@aiw/core";
import { fakeContext, type FakeContextOptions, type Recorded } from "./fake-context.ts";

/** A call that has ended, and what the tool said meanwhile. */
export interface CalledTool<Output> {
  readonly result: ToolResult<Output>;
  readonly recorded: Recorded;
  /** Everything streamed, or what one channel was given, as one text. */
  text(channel?: string): string;
}

/** Calls a tool once, in a conversation of its own unless `session` is given; whatever it does is the result. */
export async function callTool<Input, Output>(
  tool: Tool<Input, Output>,
  input: unknown,
  options: FakeContextOptions = {},
): Promise<CalledTool<Output>> {
  await using fake = fakeContext(options);
  const result = await runTool(tool, input, { ...fake.environment, options: options.options });
  return { result, recorded: fake.recorded, text: (channel) => fake.text(channel) };
}
