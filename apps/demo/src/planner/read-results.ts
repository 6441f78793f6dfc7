import type { LanguageModelV4Prompt, LanguageModelV4ToolResultPart } from "@ai-sdk/provider";

import { isRecord, ownField } from "./json.ts";
import type { JsonRecord } from "./json.ts";
import { readFailure } from "./read-failure.ts";
import type { Failure } from "./read-failure.ts";

/** A call of the running turn and what came of it. */
export interface CallOutcome {
  callId: string;
  toolName: string;
  input: JsonRecord;
  status: "ok" | "failed" | "denied" | "unanswered";
  /** The result as JSON where it is an object or an array, else as text. */
  value: unknown;
  failure?: Failure;
}

/** Everything a prompt tells about the request being worked on. */
export interface TurnState {
  request: string;
  outcomes: readonly CallOutcome[];
  /** How often this turn has already answered with tool calls. */
  steps: number;
  /** How many messages the prompt has; call ids made from it never repeat. */
  messages: number;
}

/** Reads the last request of a prompt and the calls made for it so far. */
export function readResults(prompt: LanguageModelV4Prompt): TurnState {
  const start = prompt.findLastIndex(({ role }) => role === "user");
  const asked = prompt[start];
  const request =
    asked?.role === "user" ? asked.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n") : "";
  const outcomes = new Map<string, CallOutcome>();
  let steps = 0;
  for (const message of prompt.slice(start + 1)) {
    if (message.role !== "assistant" && message.role !== "tool") continue;
    let called = false;
    for (const part of message.content) {
      if (part.type === "tool-call") {
        called = true;
        outcomes.set(part.toolCallId, toUnanswered(part));
      } else if (part.type === "tool-result") {
        outcomes.set(part.toolCallId, withOutput(outcomes.get(part.toolCallId) ?? toUnanswered(part), part.output));
      }
    }
    if (called) steps += 1;
  }
  return { request, outcomes: [...outcomes.values()], steps, messages: prompt.length };
}

function toUnanswered(part: { toolCallId: string; toolName: string; input?: unknown }): CallOutcome {
  const input = isRecord(part.input) ? part.input : {};
  return { callId: part.toolCallId, toolName: part.toolName, input, status: "unanswered", value: undefined };
}

function withOutput(call: CallOutcome, output: LanguageModelV4ToolResultPart["output"]): CallOutcome {
  switch (output.type) {
    case "execution-denied": {
      const failure = { ...readFailure(output.reason ?? "the call was not allowed"), refused: true };
      return { ...call, status: "denied", value: undefined, failure };
    }
    case "error-text":
    case "error-json":
      return failed(call, output.value);
    case "text":
      return { ...call, status: "ok", value: output.value };
    case "json":
      return ownField(output.value, "success") === false
        ? failed(call, output.value)
        : { ...call, status: "ok", value: output.value };
    case "content":
      return {
        ...call,
        status: "ok",
        value: output.value.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n"),
      };
    default:
      return {
        ...call,
        status: "failed",
        value: output,
        failure: readFailure("the result has a form this planner does not know"),
      };
  }
}

function failed(call: CallOutcome, value: unknown): CallOutcome {
  const failure = readFailure(value);
  return { ...call, status: failure.refused ? "denied" : "failed", value, failure };
}
