// What the SDK does of a model's tool call: reads the text, validates, executes; without approval, telemetry and callbacks.
import { executeTool } from "@ai-sdk/provider-utils";
import { tool } from "ai";
import { parseToolCall } from "ai/internal";
import { measure } from "../measure.mjs";

await measure(({ name, description, schema, execute }) => {
  const tools = { [name]: tool({ description, inputSchema: schema, execute }) };
  const messages = [];
  const call = async (input) => {
    const toolCall = { type: "tool-call", toolCallId: "call-1", toolName: name, input };
    const parsed = await parseToolCall({
      toolCall,
      tools,
      repairToolCall: undefined,
      messages,
      instructions: undefined,
    });
    if (parsed.invalid) throw parsed.error;
    const options = { toolCallId: parsed.toolCallId, messages, abortSignal: undefined, context: undefined };
    let output;
    for await (const part of executeTool({ tool: tools[name], input: parsed.input, options })) output = part.output;
    return output;
  };
  return { call };
});
