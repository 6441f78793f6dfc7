import { convertArrayToReadableStream, MockLanguageModelV4 } from "ai/test";

type Content = Awaited<ReturnType<MockLanguageModelV4["doGenerate"]>>["content"][number];
type StreamPart = Awaited<ReturnType<MockLanguageModelV4["doStream"]>>["stream"] extends ReadableStream<infer Part> ? Part : never;

/** A call as a model writes it; `input` is the text of the arguments. */
export interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  readonly input: string;
}

/** A model that makes the given calls, one list for each step, and then answers "done". */
export function scriptedModel(...steps: (readonly ScriptedCall[])[]): MockLanguageModelV4 {
  let step = 0;
  const next = (): Content[] => {
    const calls = steps[step] ?? [];
    step += 1;
    if (calls.length === 0) return [{ type: "text", text: "done" }];
    return calls.map(({ id, name, input }) => ({ type: "tool-call", toolCallId: id, toolName: name, input }));
  };
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const finish = (content: readonly Content[]) =>
    content.some(({ type }) => type === "tool-call") ? ({ unified: "tool-calls", raw: "x" } as const) : ({ unified: "stop", raw: "x" } as const);
  return new MockLanguageModelV4({
    doGenerate: async () => {
      const content = next();
      return { content, finishReason: finish(content), usage, warnings: [] };
    },
    doStream: async () => {
      const content = next();
      const parts: StreamPart[] = [
        { type: "stream-start", warnings: [] },
        ...content.flatMap((part): StreamPart[] => {
          if (part.type === "tool-call") return [part];
          return [
            { type: "text-start", id: "0" },
            { type: "text-delta", id: "0", delta: "done" },
            { type: "text-end", id: "0" },
          ];
        }),
        { type: "finish", finishReason: finish(content), usage },
      ];
      return { stream: convertArrayToReadableStream(parts) };
    },
  });
}

/** What the model was given as results in its last step, by call id. */
export function resultsSeen(model: MockLanguageModelV4): Record<string, unknown> {
  const last = [...model.doGenerateCalls, ...model.doStreamCalls].at(-1);
  const parts = (last?.prompt ?? []).flatMap((message) => (message.role === "tool" ? message.content : []));
  return Object.fromEntries(parts.flatMap((part) => (part.type === "tool-result" ? [[part.toolCallId, part.output]] : [])));
}
