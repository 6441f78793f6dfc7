import { ToolError, type InputAnswer, type InputRequest } from "@aiw/core";
import { askAnswerer, type Answerer } from "./answerer.ts";
import type { RunningCall } from "./running-call.ts";
import { inputPendingError } from "./suspension.ts";

/** Questions a call can stop at, and characters of the name of one. */
const MAX_PENDING = 100;
const MAX_KEY_LENGTH = 200;

/**
 * Gives the answer from before the call was suspended, else asks, else stops the call at the question.
 * @throws ToolError `input_pending` where the call is to be suspended, `invalid_input` for a question that cannot be kept.
 */
export async function requestAnswer(
  call: RunningCall,
  answerer: Answerer | undefined,
  asked: { readonly key: string; readonly request: InputRequest },
): Promise<InputAnswer> {
  const { suspending } = call;
  const known = suspending?.resumption?.inputs.get(asked.key);
  if (known !== undefined) return structuredClone(known);
  if (answerer !== undefined) return askAnswerer(answerer, call, asked);
  const { key, request } = toPlainQuestion(asked);
  if (suspending !== undefined && !call.ended) {
    if (suspending.pending.size >= MAX_PENDING) throw unfit(`a call can wait for ${MAX_PENDING} answers at a time`);
    suspending.pending.set(key, { kind: "input", key, request });
  }
  throw inputPendingError(request.message);
}

/** A question leaves the process: it is plain JSON, and a copy. */
function toPlainQuestion(asked: { readonly key: string; readonly request: InputRequest }): typeof asked {
  const { key, request } = asked;
  if (typeof key !== "string" || key === "" || key.length > MAX_KEY_LENGTH)
    throw unfit(`its key must be a text of at most ${MAX_KEY_LENGTH} characters`);
  if (typeof request?.message !== "string") throw unfit("it must have a message");
  const { message, schema } = request;
  try {
    return { key, request: JSON.parse(JSON.stringify({ message, schema })) as InputRequest };
  } catch (cause) {
    throw unfit("its schema must be JSON", cause);
  }
}

function unfit(why: string, cause?: unknown): ToolError {
  return new ToolError("invalid_input", `The question cannot be put to anybody: ${why}.`, { cause });
}
