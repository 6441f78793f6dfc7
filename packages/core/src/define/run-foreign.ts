import type { ToolContext } from "../contract/tool-context.ts";
import { toOutput } from "./flat-result.ts";

type Generator = Iterator<unknown, unknown> | AsyncIterator<unknown, unknown>;

/** Names under which foreign run functions look for what the context has. */
const SYNONYMS: ReadonlyMap<PropertyKey, (context: ToolContext<unknown>) => unknown> = new Map<
  PropertyKey,
  (context: ToolContext<unknown>) => unknown
>([
  ["abortSignal", ({ signal }) => signal],
  ["toolCallId", ({ callId }) => callId],
  ["messages", () => []],
]);

/**
 * Calls a foreign run function and gives its output, or a generator of it.
 * @throws ToolError for a flat failure it returned; whatever else it throws.
 */
export async function runForeign(
  run: (input: unknown, context: unknown) => unknown,
  input: unknown,
  context: ToolContext<unknown>,
): Promise<unknown> {
  const answer = await run(input, withSynonyms(context));
  return isGenerator(answer) ? forward(answer) : toOutput(answer);
}

/** A view, since the context is the call's own and is made lazily. */
function withSynonyms(context: ToolContext<unknown>): unknown {
  return new Proxy(context, {
    get: (target, key) => SYNONYMS.get(key)?.(target) ?? (Reflect.get(target, key) as unknown),
  });
}

/** Text is streamed; other yields are results on the way, of which the last one counts unless one is returned. */
async function* forward(generator: Generator): AsyncGenerator<string, unknown> {
  let last: unknown;
  try {
    for (;;) {
      const step = await generator.next();
      if (step.done === true) return toOutput(step.value ?? last);
      last = step.value;
      // Also without text, so that the host may stop between two.
      yield typeof last === "string" ? last : "";
    }
  } finally {
    await generator.return?.();
  }
}

function isGenerator(value: unknown): value is Generator {
  if (typeof value !== "object" || value === null) return false;
  return (
    (Symbol.asyncIterator in value || Symbol.iterator in value) && "next" in value && typeof value.next === "function"
  );
}
