import type {
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";

/** Streams a finished reply part by part; an abort ends the stream with the signal's reason. */
export function streamReply(
  reply: LanguageModelV4GenerateResult,
  signal?: AbortSignal,
): ReadableStream<LanguageModelV4StreamPart> {
  const parts = toParts(reply)[Symbol.iterator]();
  return new ReadableStream({
    pull(controller) {
      if (signal?.aborted === true) {
        controller.error(signal.reason);
        return;
      }
      const next = parts.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
  });
}

function* toParts({
  content,
  finishReason,
  usage,
  response,
  warnings,
}: LanguageModelV4GenerateResult): Generator<LanguageModelV4StreamPart> {
  yield { type: "stream-start", warnings };
  yield { type: "response-metadata", ...response };
  for (const [index, part] of content.entries()) yield* partsOf(part, index);
  yield { type: "finish", finishReason, usage };
}

function* partsOf(part: LanguageModelV4Content, index: number): Generator<LanguageModelV4StreamPart> {
  if (part.type === "text") {
    const id = `text_${index}`;
    yield { type: "text-start", id };
    for (const delta of part.text.match(/[^\n]{1,200}\n*|\n+/gu) ?? []) yield { type: "text-delta", id, delta };
    yield { type: "text-end", id };
  } else if (part.type === "tool-call") {
    const { toolCallId: id, toolName } = part;
    yield { type: "tool-input-start", id, toolName };
    yield { type: "tool-input-delta", id, delta: part.input };
    yield { type: "tool-input-end", id };
    yield part;
  }
}
