import { isPrematureClose } from "./list-with-ripgrep.ts";
import { isRecord } from "./json-values.ts";

/** One object of a stream. */
export type JsonRecord = Readonly<Record<string, unknown>>;

const LONGEST_RECORD = 1024 * 1024;

/**
 * Hands over each line of a stream, valid only until `take` returns; a line above 1 MiB is named, not kept.
 * Ends early when `take` gives false.
 */
export async function eachRecord(
  stream: AsyncIterable<Buffer>,
  take: (line: Buffer | "oversize") => boolean,
): Promise<void> {
  let parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of stream) {
      let start = 0;
      for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
        length += end - start;
        const piece = chunk.subarray(start, end);
        const line = length > LONGEST_RECORD ? "oversize" : parts.length === 0 ? piece : Buffer.concat([...parts, piece]);
        if (!take(line)) return;
        if (parts.length > 0) parts = [];
        length = 0;
        start = end + 1;
      }
      length += chunk.length - start;
      if (length > LONGEST_RECORD) parts = [];
      else if (start < chunk.length) parts.push(chunk.subarray(start));
    }
  } catch (error) {
    if (!isPrematureClose(error)) throw error;
  }
}

/** Parses one line; `undefined` when it is no object. */
export function parseRecord(line: Buffer): JsonRecord | undefined {
  try {
    const value: unknown = JSON.parse(line.toString("utf8"));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
