import type { ToolContext } from "@aiw/core";

/**
 * Splits a text into words and streams them.
 *
 * @param text - The text.
 * @param limit - Words after which it stops.
 * @minimum 1
 * @returns How many words there were.
 * @effects pure
 * @timeout 5s
 */
export async function* splitWords(
  text: string,
  limit = 100,
  context: ToolContext,
): AsyncGenerator<string, { words: number }> {
  const words = text.split(/\s+/).filter((word) => word !== "");
  for (const word of words.slice(0, limit)) {
    context.signal.throwIfAborted();
    yield `${word}\n`;
  }
  return { words: Math.min(words.length, limit) };
}
